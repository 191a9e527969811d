import Dispatch
import Foundation

/// A line on the terminal that says what takes so long, and for how long; it goes when that is over. Nowhere else than on a terminal.
enum ProgressLine {
  /// What is over sooner needs no words.
  private static let patience = 1

  /// Calls `body`, and says meanwhile what it does.
  ///
  /// - Parameters:
  ///   - words: Such as "Laying out 12,000 nodes".
  ///   - limit: How many seconds it may take, if that is known.
  ///   - progress: How far it is.
  static func during<Result>(
    _ words: String, limit: Int? = nil, progress: @escaping @Sendable () -> String = { "" }, _ body: () throws -> Result
  ) rethrows -> Result {
    guard isatty(STDERR_FILENO) == 1, !["", "dumb"].contains(ProcessInfo.processInfo.environment["TERM"] ?? "") else {
      return try body()
    }
    let words = words.withVisibleControls
    let start = ContinuousClock.now
    // One after the other, so that nothing is written once the line is gone.
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
    // A terminal that is gone needs no progress.
    try? Data(text.utf8).write(to: STDERR_FILENO)
  }
}
