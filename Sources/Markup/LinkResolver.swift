import Bytes

/// What the markup writers ask the site about: where a link leads, and who a mention names.
///
/// Both methods write a URL reference (RFC 3986) and say whether they wrote one. The writers escape
/// it, and percent-encode blanks and what is not ASCII; a `%`, `?` or `#` of a file name must be
/// encoded here, and a relative path whose first segment holds a colon begins with `./`. Methods
/// may be called from several workers at once.
public protocol LinkResolver {
  /// Writes where `destination` leads from the page that is being rendered.
  ///
  /// Called for each link and image whose scheme is allowed: a path beside the entry's file, a media
  /// path, a post's URL, or an absolute URL that the archive may hold a copy of.
  ///
  /// - Returns: false if nothing is known about it. An absolute URL then stands as it is; a
  ///   relative one loses its link, keeps its text, and is listed as unresolved.
  func href(forDestination destination: Span<UInt8>, into output: inout ByteBuffer) -> Bool

  /// Writes the URL of the page of the person whom `name` (without the `@`) means.
  ///
  /// - Returns: false if nobody is known by that name; the text then stays text.
  func mention(_ name: Span<UInt8>, into output: inout ByteBuffer) -> Bool
}

/// A resolver that leaves every destination as it is and knows nobody.
public struct UnchangedLinks: LinkResolver, Sendable {
  /// Makes the resolver.
  public init() {}

  /// Copies the destination.
  public func href(forDestination destination: Span<UInt8>, into output: inout ByteBuffer) -> Bool {
    output.append(destination)
    return true
  }

  /// Knows nobody.
  public func mention(_ name: Span<UInt8>, into output: inout ByteBuffer) -> Bool { false }
}
