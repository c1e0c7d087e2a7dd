import Bytes

extension PageRenderer {
  /// Appends `/sitemap.xml` or a part of it (sitemaps.org protocol 0.9).
  func renderSitemap(_ number: Int?, into output: inout ByteBuffer) {
    let pages = context.plan.pages
    let addresses = pages.indices.lazy.filter { pages.content(at: $0).isListed }
    let parts = Parts(count: addresses.count { _ in true }, size: PageSize.sitemap)
    output.append("<?xml version=\"1.0\" encoding=\"utf-8\"?>\n")
    if number == nil, parts.total > 1 {
      output.append("<sitemapindex xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\">\n")
      for part in 1...parts.total {
        output.append("<sitemap><loc>")
        context.appendAbsolute(Routes.sitemap(part), into: &output)
        output.append("</loc></sitemap>\n")
      }
      output.append("</sitemapindex>\n")
      return
    }
    output.append("<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\">\n")
    let range = parts.range(of: number ?? 1)
    for index in addresses.dropFirst(range.lowerBound).prefix(range.count) {
      output.append("<url><loc>")
      output.appendXML(context.baseURL)
      pages.paths.withBytes(of: pages.place(at: index)) { path in
        context.links.append(bytes: Page.route(of: path), into: &output)
      }
      output.append("</loc></url>\n")
    }
    output.append("</urlset>\n")
  }

  /// Appends `/robots.txt`.
  func renderRobots(into output: inout ByteBuffer) {
    output.append("User-agent: *\n")
    if !context.configuration.index {
      output.append("Disallow: /\n")
      return
    }
    output.append("Disallow:\n")
    if !context.baseURL.isEmpty {
      output.append("Sitemap: ")
      output.append(text: context.baseURL)
      output.append("sitemap.xml\n")
    }
  }
}

extension Page {
  private static let index = Array("index.html".utf8)

  /// The path as an address has it: a folder instead of its index page.
  var route: String { path.withBytes { String(decoding: Self.route(of: $0), as: UTF8.self) } }

  /// A page's path as an address has it: a folder instead of its index page.
  static func route(of path: UnsafeBufferPointer<UInt8>) -> UnsafeBufferPointer<UInt8> {
    let folder = UnsafeBufferPointer(rebasing: path.dropLast(index.count))
    let isIndex = path.suffix(index.count).elementsEqual(index)
    return isIndex && (folder.last ?? UInt8(ascii: "/")) == UInt8(ascii: "/") ? folder : path
  }
}
