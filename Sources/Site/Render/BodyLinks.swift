import Archive
import Bytes
import Markup

/// Where the links inside a body lead: media beside the entry, other entries, people.
///
/// A class, so that handing it on for each body copies nothing.
final class BodyLinks: LinkResolver {
  private let context: RenderContext
  private let used: UsedMedia
  /// Stands before every address below the site's root: `../../`, or the base URL in feeds.
  var root = ""
  /// Whose body it is.
  var file = FileID(0)

  init(context: RenderContext, used: UsedMedia) {
    self.context = context
    self.used = used
  }

  func href(forDestination destination: Span<UInt8>, into output: inout ByteBuffer) -> Bool {
    destination.withUnsafeBufferPointer { bytes in
      if hasScheme(bytes) { return false }
      let end = bytes.firstIndex { $0 == UInt8(ascii: "?") || $0 == UInt8(ascii: "#") }
      let pathBytes = UnsafeBufferPointer(rebasing: bytes[..<(end ?? bytes.count)])
      if pathBytes.isEmpty { return false }
      let path = String(decoding: URLText.percentDecode(pathBytes.span), as: UTF8.self)
      let fragment = end.map { UnsafeBufferPointer(rebasing: bytes[$0...]) }
      return write(path, fragment: fragment, into: &output)
    }
  }

  private func write(
    _ path: String,
    fragment: UnsafeBufferPointer<UInt8>?,
    into output: inout ByteBuffer
  ) -> Bool {
    let folder = context.archive.files[file.index].folder
    used.note(.destination(path, beside: folder))
    switch context.target(ofLink: path, beside: folder) {
    case .file(let file):
      used.insert(file)
      output.append(text: root)
      context.links.append(context.archive.media.files[file].output, into: &output)
      return true
    case .route(let route):
      output.append(text: root)
      context.links.append(route, into: &output)
      if let fragment, fragment.first == UInt8(ascii: "#") { output.append(fragment) }
      return true
    case .nothing: return false
    }
  }

  func mention(_ name: Span<UInt8>, into output: inout ByteBuffer) -> Bool {
    used.note(.mention(name.withUnsafeBufferPointer { String(decoding: $0, as: UTF8.self) }))
    guard let person = context.archive.names.person(named: name),
      context.plan.hasPage(person)
    else { return false }
    output.append(text: root)
    context.links.append(Routes.person(context.archive.people[person.index]), into: &output)
    return true
  }

  private func hasScheme(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    for byte in bytes {
      switch byte {
      case UInt8(ascii: ":"): return true
      case UInt8(ascii: "/"), UInt8(ascii: "?"), UInt8(ascii: "#"): return false
      default: continue
      }
    }
    return false
  }
}
