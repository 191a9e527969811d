import ArgumentParser

/// The exit statuses of `check` and `diff`, beside 0 and ArgumentParser's 64 for wrong arguments.
enum ExitStatus {
  /// Something was found.
  static let found = ExitCode(1)
  /// There is no answer: no program could be asked, or a file cannot be read or written.
  static let unanswered = ExitCode(2)

  /// Calls `body`. What it throws becomes words and the status 2.
  static func unansweredIfThrown<Result>(_ body: () throws -> Result) throws -> Result {
    do {
      return try body()
    } catch {
      Terminal.note("Error: \(error)")
      throw unanswered
    }
  }
}
