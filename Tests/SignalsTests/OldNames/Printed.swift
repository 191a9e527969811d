import Probes

/// What the samples of the pages for those who come from another library print.
///
/// Their test files have a `print` of their own that writes here, so a sample is run as the page shows it.
enum Printed {
  @TaskLocal private static var lines: Journal<String>?

  /// Runs a sample.
  ///
  /// - Returns: What it printed on this thread, line by line.
  static func by(_ sample: () throws -> Void) rethrows -> [String] {
    let lines = Journal<String>()
    try $lines.withValue(lines) { try sample() }
    return lines.entries
  }

  /// Writes a line.
  static func append(_ items: [Any]) {
    lines?.append(items.map { "\($0)" }.joined(separator: " "))
  }
}
