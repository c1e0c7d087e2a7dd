import Bytes
import Testing

@testable import Archive

@Suite("Attachments that could run")
struct ActiveContentTests {
  private static let folder: String = {
    let tests = #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast(2)
    return tests.joined(separator: "/") + "/Fixtures/hostile/attachments"
  }()

  private static let namespace = "xmlns=\"http://www.w3.org/2000/svg\""

  @Test("Hostile files are copied as text or are what they are called")
  func hostileFolder() async throws {
    let archive = try TemporaryArchive()
    try archive.copy(Self.folder, to: "Content/media/files")
    let (read, _) = try await archive.read()
    let outputs = read.media.files.map { String($0.output.dropFirst("media/files/".count)) }
    #expect(
      outputs == [
        "csv-formula.csv", "empty.png", "gif-polyglot.gif", "html-as-png.png", "html-as-txt.txt",
        "huge-dimensions.svg", "png-65535.png", "svg-entity.svg.txt", "svg-foreign.svg.txt",
        "svg-onload.svg.txt", "svg-script.svg.txt", "svg-use-external.svg.txt", "truncated.jpg",
        "xhtml.xhtml.txt", "xml-xslt.xml.txt",
      ]
    )
  }

  @Test(
    "Names that hosts serve as pages or scripts get .txt",
    arguments: [
      "a.html", "a.HTM", "a.xhtml", "a.xht", "a.svgz", "a.js", "a.mjs", "a.xml", "a.xslt",
      "a.shtml",
      "a.mht", "a.php", "b.html ", "b.html.", "b\u{1}.html",
    ]
  )
  func names(name: String) async throws {
    let archive = try TemporaryArchive(["Content/media/\(name)": "hello"])
    let (read, _) = try await archive.read()
    #expect(read.media.files.count == 1)
    let output = try #require(read.media.files.first?.output)
    let isText = output.hasSuffix(".txt")
    #expect(isText || ActiveContent.danger(ofName: output.utf8) == .none, "\(output)")
  }

  @Test("Longest names stay within their limit and apart")
  func longNames() async throws {
    let stem = String(repeating: "x", count: 195)
    let archive = try TemporaryArchive([
      "Content/media/\(stem).html": "a", "Content/media/\(stem).html.txt": "b",
    ])
    let outputs = try await archive.read().archive.media.files.map(\.output)
    #expect(outputs.allSatisfy { ActiveContent.danger(ofName: $0.utf8) == .none })
    #expect(outputs.allSatisfy { $0.utf8.count <= "media/".utf8.count + PathName.maximumLength })
    #expect(Set(outputs).count == 2)
  }

  @Test(
    "Pictures stay pictures",
    arguments: [
      "<svg \(namespace)><path d=\"M0 0h9v9z\" fill=\"#fa0\"/></svg>",
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<!DOCTYPE svg PUBLIC \"-//W3C//DTD SVG 1.1//EN\" "
        + "\"http://www.w3.org/Graphics/SVG/1.1/DTD/svg11.dtd\">\n<svg \(namespace)/>",
      "<svg \(namespace) xmlns:xlink=\"http://www.w3.org/1999/xlink\"><defs><g id=\"a\"/></defs>"
        + "<use xlink:href=\"#a\" style=\"fill:url(#b)\"/></svg>",
      "<svg \(namespace)><style>.a{fill:url( '#b' )}</style><text>one &lt; two</text></svg>",
      "<svg \(namespace)><image href=\"data:image/png;base64,AAAA\"/></svg>",
      "<svg \(namespace)><!-- <script> onload= --><title>it&#39;s on = off</title></svg>",
      "<svg \(namespace)><animate attributeName=\"x\" dur=\"1s\" values=\"0;9\"/></svg>",
    ]
  )
  func pictures(svg: String) { #expect(ActiveContent.isInertVector(Array(svg.utf8))) }

  @Test(
    "Anything else is no picture",
    arguments: [
      "", "\u{FEFF}\0", "<svg \(namespace)><SCRIPT>x</SCRIPT></svg>",
      "<s:svg xmlns:s=\"http://www.w3.org/2000/svg\"><s:script>x</s:script></s:svg>",
      "<svg \(namespace)><g\nonclick\n=\n'x'/></svg>", "<svg \(namespace) a=\"b\"onload=\"x\"/>",
      "<svg \(namespace)><set attributeName=\"href\" to=\"x\"/></svg>",
      "<svg \(namespace)><animate attributeName=\"xlink:href\" to=\"x\"/></svg>",
      "<svg \(namespace)><a href=\"https://example.org/\"><g/></a></svg>",
      "<svg \(namespace)><use href=\"b.svg#c\"/></svg>",
      "<svg \(namespace)><image xlink:href = 'https://example.org/a.png'/></svg>",
      "<svg \(namespace)><image href=\"data:image/svg+xml;base64,AAAA\"/></svg>",
      "<svg \(namespace)><g style=\"fill:url(https://example.org/)\"/></svg>",
      "<svg \(namespace)><g style=\"fill:&#117;rl(https://example.org/)\"/></svg>",
      "<svg \(namespace)><g style=\"fill:\\75rl(https://example.org/)\"/></svg>",
      "<svg \(namespace)><style>&#64;import 'https://example.org/'</style></svg>",
      "<svg \(namespace)><style>@IMPORT 'x'</style></svg>",
      "<!DOCTYPE svg [<!ELEMENT svg ANY>]><svg \(namespace)/>",
      "<?xml-stylesheet href=\"#a\"?><svg \(namespace)/>",
      "<?xml version=\"1.0\" encoding=\"utf-7\"?><svg \(namespace)/>",
      "<html xmlns=\"http://www.w3.org/1999/xhtml\"/>",
      "<svg \(namespace)><!----><foreignObject/></svg>",
      "<svg \(namespace)><![CDATA[]]><g a=\">\" onload=\"x\"/></svg>",
    ]
  )
  func noPictures(svg: String) { #expect(!ActiveContent.isInertVector(Array(svg.utf8))) }

  @Test("A track keeps its name, one with markup inside does not")
  func documents() async throws {
    let archive = try TemporaryArchive([
      "Content/media/good.gpx":
        "<gpx xmlns=\"http://www.topografix.com/GPX/1/1\"><link href=\"https://example.org/\"/></gpx>",
      "Content/media/bad.gpx":
        "<gpx><x:script xmlns:x='http://www.w3.org/1999/xhtml'>x</x:script></gpx>",
    ])
    let outputs = try await archive.read().archive.media.files.map(\.output)
    #expect(outputs == ["media/bad.gpx.txt", "media/good.gpx"])
  }

  @Test("A picture that isn't one is shown as a file, and flagged as no picture")
  func kind() async throws {
    let archive = try TemporaryArchive([
      "Content/posts/a.json": #"{"body": "x", "date": "2024-01-01", "media": ["a.svg"]}"#,
      "Content/media/a.svg": "<svg \(Self.namespace)><script>x</script></svg>",
    ])
    let read = try await archive.read().archive
    #expect(read.entries.count == 1)
    #expect(read.entries.first?.flags.contains(.hasPicture) == false)
    var details = DetailsReader(root: archive.root, archive: read)
    try details.read([EntryID(0)])
    #expect(details.rare(0)?.media.map(\.kind) == [.file])
  }
}
