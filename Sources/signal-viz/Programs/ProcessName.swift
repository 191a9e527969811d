import Foundation
import SignalAttach
import SignalPicture

/// What is known about a program that does not respond: its socket's name contains its identifier, and the system knows
/// its name.
struct ProcessName {
  let pid: Int32
  /// The name; nil if the system does not report it.
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

  /// A description such as "SearchBox (pid 4711)".
  var words: String { name.map { "\($0) (pid \(pid))" } ?? "The program with pid \(pid)" }

  /// The name of a process's executable, as it was started.
  private static func name(of pid: Int32) -> String? {
    // Only Linux has such files.
    guard let data = FileManager.default.contents(atPath: "/proc/\(pid)/cmdline"),
      let path = data.split(separator: 0).first,
      let name = String(decoding: path, as: UTF8.self).split(separator: "/").last, !name.isEmpty
    else { return nil }
    return String(name).displayable(limit: 80)
  }
}
