import Bytes
import Testing

@Suite
struct StringBytesTests {
  @Test(arguments: ["", "a", "posts/2024", "/", "é/日本", String(repeating: "ü", count: 300)])
  func foldersAndNames(_ folder: String) {
    for name in ["", "x", "雨.md", String(repeating: "n", count: 40)] {
      let path = String(folder: folder, name: name)
      #expect(path == folder + "/" + name)
      #expect(path.parentFolder == folder)
    }
  }

  @Test
  func aNameAloneHasNoFolder() {
    #expect("".parentFolder == nil)
    #expect("rain.md".parentFolder == nil)
    #expect("/rain.md".parentFolder?.isEmpty == true)
  }
}
