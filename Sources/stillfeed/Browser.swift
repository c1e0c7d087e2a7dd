import Glibc

/// The reader's browser.
enum Browser {
  /// Shows an address in it, or in the program that `BROWSER` names.
  ///
  /// - Returns: Whether a program could be started.
  static func open(_ address: String) -> Bool {
    let program = Console.environment("BROWSER").flatMap { $0.isEmpty ? nil : $0 } ?? "xdg-open"
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    // Its words are not ours.
    for number: Int32 in 0...2 {
      posix_spawn_file_actions_addopen(&actions, number, "/dev/null", O_RDWR, 0)
    }
    let words: [UnsafeMutablePointer<CChar>?] = [strdup(program), strdup(address), nil]
    defer { for word in words { free(word) } }
    var process: pid_t = 0
    // The child must not be killed with us by a Ctrl-C in the terminal: a group of its own.
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETPGROUP))
    return posix_spawnp(&process, program, &actions, &attributes, words, environ) == 0
  }
}
