import Foundation
import SignalAttach
import SignalPicture

/// What is known of a program that does not answer: the name of its socket has its identifier, and the system knows its name.
struct ProcessName {
  let pid: Int32
  /// nil where the system does not tell it.
  let name: String?

  init?(ofSocketAt path: String) {
    let url = URL(fileURLWithPath: path)
    guard
      let file = SocketFile(
        directory: url.deletingLastPathComponent().path, fileName: url.lastPathComponent)
    else { return nil }
    pid = file.pid
    name = Self.name(of: file.pid)
  }

  /// Such as "SearchBox (pid 4711)".
  var words: String { name.map { "\($0) (pid \(pid))" } ?? "The program with pid \(pid)" }

  /// The name of the file that a process runs, as it was called.
  private static func name(of pid: Int32) -> String? {
    // Only Linux has such files.
    guard let data = FileManager.default.contents(atPath: "/proc/\(pid)/cmdline"),
      let path = data.split(separator: 0).first,
      let name = String(decoding: path, as: UTF8.self).split(separator: "/").last, !name.isEmpty
    else { return nil }
    return String(name).displayable(limit: 80)
  }
}
