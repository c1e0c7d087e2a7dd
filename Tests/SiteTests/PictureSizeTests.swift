import Bytes
import Testing

@testable import Site

@Suite("Sizes of pictures")
struct PictureSizeTests {
  private static let pictures: [(name: String, width: Int, height: Int)] = [
    ("apricot-rain.jpg", 1000, 750),
    ("books.jpg", 1200, 720),
    ("cat-scooter.png", 1000, 1000),
    ("emperor-bus.png", 800, 800),
    ("emperor-riceball.png", 800, 800),
    ("emperor-ridge.jpg", 1000, 800),
    ("emperor-shoes.jpg", 1000, 750),
    ("emperor-steps.webp", 800, 800),
    ("ferns.jpg", 900, 1200),
    ("hehuan-cane.webp", 1000, 750),
    ("hehuan-stars.jpg", 800, 1200),
    ("maokong-tea.jpg", 1200, 800),
    ("mooncake.png", 900, 900),
    ("noodle-bowl.jpg", 1200, 900),
    ("pavilion.webp", 1000, 1000),
    ("rain-window.jpg", 900, 1200),
    ("ridge-dawn.jpg", 1200, 800),
    ("taihaku.png", 1000, 750),
    ("tracks.webp", 1000, 800),
    ("umbrellas.webp", 1000, 1000),
    ("xianjiyan-map.png", 1000, 1200),
  ]

  @Test(arguments: Self.pictures)
  func real(_ picture: (name: String, width: Int, height: Int)) throws {
    let path = "\(Fixtures.repository)/Content/media/\(picture.name)"
    let size = try #require(try PictureSize(ofFile: path))
    #expect(size.width == picture.width)
    #expect(size.height == picture.height)
  }

  @Test("a file that ends early has its size or none", arguments: Self.pictures)
  func truncated(_ picture: (name: String, width: Int, height: Int)) throws {
    let bytes = try FileSystem.read("\(Fixtures.repository)/Content/media/\(picture.name)")
    var known = 0
    for length in 0..<min(bytes.count, 3000) {
      guard let size = PictureSize(Array(bytes[..<length])) else { continue }
      known += 1
      #expect(size.width == picture.width && size.height == picture.height, "\(length)")
    }
    #expect(known > 0)
  }

  @Test("no damage traps, and no size is out of bounds", arguments: Self.pictures)
  func damaged(_ picture: (name: String, width: Int, height: Int)) throws {
    let bytes = try FileSystem.read("\(Fixtures.repository)/Content/media/\(picture.name)").prefix(
      800
    )
    for index in bytes.indices {
      for value in [UInt8(0), 0x7F, 0xFF, bytes[index] ^ 0x80] {
        var damaged = Array(bytes)
        damaged[index] = value
        guard let size = PictureSize(damaged) else { continue }
        #expect((1...100_000).contains(size.width) && (1...100_000).contains(size.height))
      }
    }
  }

  @Test
  func others() throws {
    #expect(PictureSize([]) == nil)
    #expect(PictureSize(Array(repeating: 0, count: 100)) == nil)
    let gif =
      Array("GIF89a".utf8) + [0x2C, 0x01, 0xC8, 0x00] + Array(repeating: UInt8(0), count: 20)
    #expect(PictureSize(gif).map { [$0.width, $0.height] } == [300, 200])
    let empty = Array("GIF89a".utf8) + Array(repeating: UInt8(0), count: 30)
    #expect(PictureSize(empty) == nil)
    #expect(try PictureSize(ofFile: "/nonexistent") == nil)
    #expect(try PictureSize(ofFile: Fixtures.repository) == nil)
  }
}
