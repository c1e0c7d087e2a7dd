/// Whether `left` sorts before `right`, with numbers by their value (`m9` before `m10`) and all else
/// byte by byte.
///
/// Texts that differ only in zeros before a number are ordered byte by byte, so that no two texts are
/// equal. Takes time in proportion to the length.
func precedesNaturally(
  _ left: UnsafeBufferPointer<UInt8>,
  _ right: UnsafeBufferPointer<UInt8>
) -> Bool {
  var (index, other) = (0, 0)
  while index < left.count, other < right.count {
    if isDigit(left[index]), isDigit(right[other]) {
      let number = significantDigits(left, from: &index)
      let otherNumber = significantDigits(right, from: &other)
      if number.count != otherNumber.count { return number.count < otherNumber.count }
      if !equalBytes(number, otherNumber) { return precedes(number, otherNumber) }
    } else {
      if left[index] != right[other] { return left[index] < right[other] }
      index += 1
      other += 1
    }
  }
  if index == left.count, other == right.count { return precedes(left, right) }
  return index == left.count
}

private func isDigit(_ byte: UInt8) -> Bool { 0x30...0x39 ~= byte }

/// The digits of a number without zeros in front; moves `index` behind them.
private func significantDigits(
  _ text: UnsafeBufferPointer<UInt8>,
  from index: inout Int
) -> UnsafeBufferPointer<UInt8> {
  while index < text.count, text[index] == 0x30 { index += 1 }
  let start = index
  while index < text.count, isDigit(text[index]) { index += 1 }
  return UnsafeBufferPointer(rebasing: text[start..<index])
}
