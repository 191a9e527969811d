import Foundation

/// Times during which programs profile their handlers for a command.
///
/// A program continues only for a short time after each request, and requests are repeated: so it stops soon after the
/// command has ended, however that ended.
extension ProgramConnection {
  /// The time for which a program profiles its handlers after a request. Includes the time of responses.
  static let profileTime = Duration.seconds(20)
  /// The interval of the requests.
  static let profileInterval = Duration.seconds(5)

  /// Waits until a time, while programs profile their handlers; less if all of them have ended.
  ///
  /// A program that does not respond in between does not matter: it is queried again afterwards.
  static func wait(
    until end: ContinuousClock.Instant, profiling programs: [ProgramConnection],
    every interval: Duration = profileInterval
  ) {
    while true {
      let isOver = AtOnce.map(programs) { program in
        do {
          try program.trace(for: profileTime, within: .seconds(2))
          return false
        } catch {
          return program.isGone
        }
      }
      let rest = end - .now
      guard rest > .zero, !isOver.allSatisfy({ (try? $0.get()) == true }) else { return }
      // Safe: this much time is supposed to pass.
      Thread.sleep(forTimeInterval: min(rest, interval) / .seconds(1))
      guard rest > interval else { return }
    }
  }
}
