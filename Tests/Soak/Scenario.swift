import Signals
import Synchronization

/// Something that is run again and again, and has to have one and the same result.
struct Scenario: Sendable {
  var name: String
  /// Runs it once, and tells what happened.
  var run: @Sendable () -> String

  /// What happened in a run, and when in milliseconds.
  final class Log: Sendable {
    private let lines = Mutex<[String]>([])

    var text: String { lines.withLock { $0.joined(separator: " ") } }

    func note(_ text: String, _ scheduler: VirtualTimeScheduler) {
      let milliseconds = Int64(scheduler.now.sinceOrigin / .milliseconds(1))
      lines.withLock { $0.append("\(text)@\(milliseconds)") }
    }
  }
}
