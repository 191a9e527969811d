import Foundation
import Signals
import Synchronization

/// Prints where a test is whose virtual time stands still because its thread does not come back: such a test hangs, and nothing else would name it.
enum StandstillWatch {
  /// How far a virtual time is. This is all that the watching thread touches: to release a test, it would run the test's code.
  final class Progress: Sendable {
    /// How often something was scheduled, or a job began.
    let steps = Atomic(0)
    /// How many calls are inside, one inside another.
    let depth = Atomic(0)
  }

  /// For how long, in real time, nothing is scheduled and no job begins before that is printed.
  static let patience = Mutex<Duration>(.seconds(30))

  /// Prints the message.
  static let output = Mutex<Output>(Output { FileHandle.standardError.write(Data(($0 + "\n").utf8)) })

  // A closure that is itself what a mutex holds would be wrapped anew at each look at it.
  struct Output: Sendable {
    let print: @Sendable (String) -> Void

    init(_ print: @escaping @Sendable (String) -> Void) { self.print = print }
  }

  private struct Entry {
    weak var progress: Progress?
    let place: String
    /// How many steps there had been when that was looked at first.
    var steps = -1
    var since = ContinuousClock.now
    var isTold = false
  }

  private static let entries = Mutex<[Entry]>([])

  private static let thread: Void = {
    Thread.detachNewThread {
      while true {
        // Safe: whether a thread comes back is a matter of real time, and nothing tells.
        Thread.sleep(forTimeInterval: patience.withLock { $0 } / .seconds(10))
        look()
      }
    }
  }()

  /// Watches a virtual time until it is freed.
  static func watch(_ progress: Progress, of source: MarbleSource) {
    _ = thread
    let entry = Entry(progress: progress, place: "\(source.fileID):\(source.line)")
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
