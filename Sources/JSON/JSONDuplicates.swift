import Bytes

extension JSONValue {
  /// The first key of an object that an earlier member has too, or nil.
  ///
  /// Getters take the first of equal members; the caller may want to say so. Linear for objects
  /// as people write them, sorted by hash for those with many members.
  public var duplicateKey: JSONText? {
    let count = count
    return count <= 32 ? duplicateAmongFew : duplicateAmongMany(count)
  }

  private var duplicateAmongFew: JSONText? {
    var position = 0
    for member in members {
      for earlier in members.prefix(position) where earlier.key == member.key { return member.key }
      position += 1
    }
    return nil
  }

  private func duplicateAmongMany(_ count: Int) -> JSONText? {
    var keys: [(hash: UInt64, position: Int, key: JSONText)] = []
    keys.reserveCapacity(count)
    for member in members {
      keys.append((Fingerprint.of(member.key.buffer), keys.count, member.key))
    }
    keys.sort { ($0.hash, $0.position) < ($1.hash, $1.position) }
    var first: (position: Int, key: JSONText)?
    var index = 1
    while index < keys.count {
      let (left, right) = (keys[index - 1], keys[index])
      if left.hash == right.hash, left.key == right.key, right.position < first?.position ?? .max {
        first = (right.position, right.key)
      }
      index += 1
    }
    return first?.key
  }
}
