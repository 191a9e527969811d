import Foundation
import Signals
import Synchronization

/// Prints the location of a test whose virtual time makes no progress because its thread is blocked: such a test hangs,
/// and nothing else would name it.
enum StandstillWatch {
  /// The progress of a virtual time. The watching thread touches only this: releasing a test would run the test's code.
  final class Progress: Sendable {
    /// The number of scheduled work items and started jobs.
    let steps = Atomic(0)
    /// The nesting depth of calls.
    let depth = Atomic(0)
  }

  /// What of a test the virtual times of the current code belong to, for the message.
  @TaskLocal static var detail = ""

  /// The real time without progress after which the message is printed.
  static let patience = Mutex<Duration>(.seconds(30))

  /// Prints the message.
  static let output = Mutex<Output>(Output { FileHandle.standardError.write(Data(($0 + "\n").utf8)) })

  // A closure that is itself the value of a mutex would be wrapped again at each access.
  struct Output: Sendable {
    let print: @Sendable (String) -> Void

    init(_ print: @escaping @Sendable (String) -> Void) { self.print = print }
  }

  private struct Entry: Sendable {
    weak var progress: Progress?
    let place: String
    /// The number of steps at the first check.
    var steps = -1
    var since = ContinuousClock.now
    var isTold = false
  }

  /// Thread Sanitizer sees its lock: tests of laws run under it beside the watching thread.
  private static let entries = Guarded<[Entry]>([])

  private static let thread: Void = {
    Thread.detachNewThread {
      while true {
        // Safe: whether a thread is blocked is a matter of real time, and there is no notification.
        Thread.sleep(forTimeInterval: patience.withLock { $0 } / .seconds(10))
        look()
      }
    }
  }()

  /// Watches a virtual time until it is freed.
  static func watch(_ progress: Progress, of source: MarbleSource) {
    _ = thread
    let entry = Entry(progress: progress, place: "\(source.fileID):\(source.line)\(detail)")
    entries.withLock { $0.append(entry) }
  }

  private static func look() {
    let patience = patience.withLock { $0 }
    let texts = entries.withLock { entries -> [String] in
      entries.removeAll { $0.progress == nil }
      return entries.indices.compactMap { index in
        guard let progress = entries[index].progress else { return nil }
        let steps = progress.steps.load(ordering: .relaxed)
        if progress.depth.load(ordering: .relaxed) == 0 || steps != entries[index].steps {
          entries[index].steps = steps
          entries[index].since = .now
        }
        guard !entries[index].isTold, ContinuousClock.now - entries[index].since >= patience else { return nil }
        entries[index].isTold = true
        return
          "\(entries[index].place): The virtual time of this test has stood still for \(ProbeText.spoken(patience)). Its thread computes, is sent values without "
          + "an end in one call, runs a loop that ignores its cancellation, or waits for something that only virtual time brings, such as a semaphore that a task of the test signals."
      }
    }
    let output = output.withLock { $0 }
    for text in texts { output.print(text) }
  }
}
