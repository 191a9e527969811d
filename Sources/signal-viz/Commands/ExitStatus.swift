import ArgumentParser

/// The exit statuses of `check` and `diff`, except 0 and ArgumentParser's 64 for invalid arguments.
enum ExitStatus {
  /// Something was found.
  static let found = ExitCode(1)
  /// No result: no program could be queried, or a file cannot be read or written.
  static let unanswered = ExitCode(2)

  /// Calls `body`. An error it throws is printed, and becomes the status 2.
  static func unansweredIfThrown<Result>(_ body: () throws -> Result) throws -> Result {
    do {
      return try body()
    } catch {
      Terminal.note("Error: \(error)")
      throw unanswered
    }
  }
}
