import Dispatch
import Foundation

/// A line on the terminal that shows what is going on, and for how long; it disappears afterwards. Nothing is written
/// if standard error is not a terminal.
enum ProgressLine {
  /// The number of seconds after which the line appears.
  private static let patience = 1

  /// Calls `body`, and shows meanwhile what it does.
  ///
  /// - Parameters:
  ///   - words: The description, such as "Laying out 12,000 nodes".
  ///   - limit: The maximum time in seconds, if known.
  ///   - progress: The progress as text.
  static func during<Result>(
    _ words: String, limit: Int? = nil, progress: @escaping @Sendable () -> String = { "" }, _ body: () throws -> Result
  ) rethrows -> Result {
    guard isatty(STDERR_FILENO) == 1, !["", "dumb"].contains(ProcessInfo.processInfo.environment["TERM"] ?? "") else {
      return try body()
    }
    let words = words.withVisibleControls
    let start = ContinuousClock.now
    // A serial queue, so that nothing is written once the line is removed.
    let queue = DispatchQueue(label: "signal-viz.progress")
    let timer = DispatchSource.makeTimerSource(queue: queue)
    timer.setEventHandler {
      let seconds = Int((ContinuousClock.now - start) / .seconds(1))
      let most = limit.map { " of at most \($0) s" } ?? ""
      write("\r\(words) … \(seconds) s\(most)\(progress())\u{1B}[K")
    }
    timer.schedule(deadline: .now() + .seconds(patience), repeating: 1)
    timer.resume()
    defer {
      timer.cancel()
      queue.sync { if ContinuousClock.now - start >= .seconds(patience) { write("\r\u{1B}[K") } }
    }
    return try body()
  }

  private static func write(_ text: String) {
    // A terminal that was closed needs no progress.
    try? Data(text.utf8).write(to: STDERR_FILENO)
  }
}
