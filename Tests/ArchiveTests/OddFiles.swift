import Glibc

/// Makes what a content folder should not hold: links, a pipe, a name that is no text.
func makeOddFiles(in folder: String) {
  symlink("/etc/passwd", "\(folder)/link.md")
  symlink("..", "\(folder)/loop")
  mkfifo("\(folder)/pipe.md", 0o600)
  var name = Array("\(folder)/bad".utf8CString.dropLast())
  name += [CChar(bitPattern: 0xFF)] + ".md".utf8CString
  let file = creat(name, 0o600)
  if file >= 0 { close(file) }
}
