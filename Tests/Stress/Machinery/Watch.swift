import Foundation
import Synchronization

// Safe: written before anything can crash.
nonisolated(unsafe) private var earlierHandlers: [Int32: @convention(c) (Int32) -> Void] = [:]
// Safe: filled by the one thread that runs rounds, before the round; read when the process is about to die.
nonisolated(unsafe) private let lastWords = UnsafeMutablePointer<CChar>.allocate(capacity: 512)

/// Ends the process with a word about what ran when something hangs or crashes.
enum Watch {
  /// How many seconds a round may wait for something that has to come, which takes longer under a sanitizer and on a busy machine.
  static var patience: Double { Double(patienceInSeconds.load(ordering: .relaxed)) }

  private static let patienceInSeconds = Atomic<Int>(30)

  /// Waits less long while this runs: for rounds that are known to fail.
  static func impatiently<Result>(_ body: () -> Result) -> Result {
    let before = patienceInSeconds.exchange(1, ordering: .relaxed)
    defer { patienceInSeconds.store(before, ordering: .relaxed) }
    return body()
  }

  private static let description = Guarded("")
  private static let deadline = Atomic<UInt64>(.max)

  /// Begins to watch.
  static func begin() {
    lastWords[0] = 0
    for number in [SIGSEGV, SIGBUS, SIGILL, SIGTRAP, SIGABRT, SIGFPE] {
      earlierHandlers[number] = signal(number) { number in
        _ = write(2, lastWords, strlen(lastWords))
        // The next step shows where it was, if that is wanted, and ends the process.
        signal(number, earlierHandlers[number] ?? SIG_DFL)
        raise(number)
      }
    }
    Thread.detachNewThread {
      while true {
        usleep(500_000)
        if DispatchTime.now().uptimeNanoseconds > deadline.load(ordering: .acquiring) {
          say("FINDING hang: nothing went on for \(Int(2 * patience)) s\n\(description.value)")
          _exit(1)
        }
      }
    }
  }

  /// Says what runs from now on; it has to be over, or say something else, in a while.
  static func now(_ command: String, details: @autoclosure () -> String) {
    strncpy(lastWords, "\nCRASHED while this ran: \(command)\n", 511)
    description.value = "  repeat: \(command)\n\(details())"
    deadline.store((DispatchTime.now() + 2 * patience).uptimeNanoseconds, ordering: .releasing)
  }

  /// Nothing has to go on.
  static func pause() { deadline.store(.max, ordering: .releasing) }

  static func uptime() -> Double { Double(DispatchTime.now().uptimeNanoseconds) / 1e9 }
}
