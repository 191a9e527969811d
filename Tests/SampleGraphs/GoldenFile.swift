import Foundation

/// Files under `Fixtures/` that hold what the code is expected to write.
///
/// To write them anew after a wanted change, run `UPDATE_FIXTURES=1 swift test --filter Golden` and look at the diff.
public enum GoldenFile {
  /// A file that differs, or is missing.
  public struct Difference: Error, CustomStringConvertible {
    /// The first line that differs.
    public var description: String
  }

  /// Compares a text with `Fixtures/<name>`, or writes the file when `UPDATE_FIXTURES` is set.
  public static func check(_ text: String, name: String, at filePath: String = #filePath) throws {
    let url = URL(fileURLWithPath: filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().appendingPathComponent("Fixtures").appendingPathComponent(name)
    if ProcessInfo.processInfo.environment["UPDATE_FIXTURES"] != nil {
      try FileManager.default.createDirectory(
        at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data(text.utf8).write(to: url)
      return
    }
    let expected = String(decoding: try Data(contentsOf: url), as: UTF8.self)
    guard expected != text else { return }
    let old = expected.split(separator: "\n", omittingEmptySubsequences: false)
    let new = text.split(separator: "\n", omittingEmptySubsequences: false)
    let line = zip(old, new).enumerated().first { $1.0 != $1.1 }?.offset ?? min(old.count, new.count)
    throw Difference(
      description: "Fixtures/\(name):\(line + 1): expected \(line < old.count ? old[line] : "(end)"), "
        + "got \(line < new.count ? new[line] : "(end)"). To accept it, run with UPDATE_FIXTURES=1.")
  }
}
