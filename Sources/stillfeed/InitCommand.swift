import Bytes

/// `stillfeed init`: a small archive to begin with.
struct InitCommand {
  static let syntax = Command(
    name: "init",
    operands: "[DIR]",
    count: 0...1,
    summary: "Begin an archive with an example of each kind",
    discussion: "Writes into DIR (default: this folder), and never over a file that is there."
  )

  let arguments: Arguments
  let console: Console

  init(_ arguments: Arguments, _ console: Console) {
    self.arguments = arguments
    self.console = console
  }

  func run() throws -> Int32 {
    let root = arguments.operands.first ?? arguments.value("root") ?? "."
    if try FileSystem.existing("\(root)/stillfeed.yml", followsLinks: false) != nil
      || FileSystem.existing("\(root)/Content")?.kind == .directory
    {
      console.fail(
        "'\(root)' is an archive already",
        suggestion: "'stillfeed build' makes its site"
      )
      return 1
    }
    for (path, text) in Self.files {
      let file = "\(root)/\(path)"
      if try FileSystem.existing(file, followsLinks: false) != nil { continue }
      if let slash = file.lastIndex(of: "/") {
        try FileSystem.makeDirectories(String(file[..<slash]))
      }
      try FileSystem.write(Array(text.utf8), to: file)
      console.say("Wrote \(file)")
    }
    console.say("Next: stillfeed build -C \(root)")
    return 0
  }

  private static let files: [(String, String)] = [
    (
      "stillfeed.yml",
      """
      title: My archive
      language: en          # or zh-Hant, zh-Hans, ja, or your own file in Templates/strings
      timeZone: UTC         # such as Asia/Taipei
      self: [me]            # whose bubbles stand on the other side
      # baseURL: https://example.org/

      """
    ),
    (
      "Content/people.yml",
      """
      - id: me
        name: Me
      - id: ada
        name: Ada

      """
    ),
    (
      "Content/posts/2024-05-17-first-post.md",
      """
      ---
      title: The first post
      author: me
      date: 2024-05-17 09:30
      tags: [beginnings]
      likes: 2
      ---

      A post is a Markdown file. Its comments stand in `Content/comments/first-post.jsonl`.

      """
    ),
    (
      "Content/comments/first-post.jsonl",
      """
      {"id":"1","author":"ada","date":"2024-05-17T10:00:00Z","body":"And this is a comment."}
      {"id":"2","author":"me","date":"2024-05-17T10:05:00Z","parent":"1","body":"With a reply."}

      """
    ),
    (
      "Content/channels/chat/channel.yml",
      """
      title: Chat
      view: chat

      """
    ),
    (
      "Content/channels/chat/messages.jsonl",
      """
      {"id":"1","author":"ada","date":"2024-05-17T12:00:00Z","body":"Hello!"}
      {"id":"2","author":"me","date":"2024-05-17T12:01:00Z","body":"Hello, Ada.","replyTo":"1"}

      """
    ),
    (
      "Content/channels/guestbook/channel.yml",
      """
      title: Guestbook
      view: board

      """
    ),
    (
      "Content/channels/guestbook/messages.json",
      """
      [
        {"id": "1", "name": "Ada", "content": "I was here.", "time": "2024-05-18T08:00:00Z"}
      ]

      """
    ),
  ]
}
