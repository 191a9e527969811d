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
  // How often the watch may still look before what runs counts as hung. The looks are counted, not the seconds: a machine that stood still
  // for a while, as a virtual one does when it is moved, has not hung.
  private static let looksLeft = Atomic<Int>(.max)
  private static let looksPerSecond = 2

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
      // On a stack of its own: what crashed may have used up the thread's.
      var action = sigaction()
      sigaction(number, nil, &action)
      action.sa_flags |= SA_ONSTACK
      sigaction(number, &action, nil)
    }
    prepareThread()
    Thread.detachNewThread {
      while true {
        // Safe: a watch of real time on a thread of its own; no round waits for it.
        usleep(UInt32(1_000_000 / looksPerSecond))
        // Somebody may set it anew in between; then that counts.
        let left = looksLeft.load(ordering: .acquiring)
        guard left != .max else { continue }
        if left > 0 {
          _ = looksLeft.compareExchange(expected: left, desired: left - 1, ordering: .acquiringAndReleasing)
        } else {
          say("FINDING hang: nothing went on for \(Int(2 * patience)) s\n\(description.value)")
          showEveryThread()
          _exit(1)
        }
      }
    }
  }

  /// Gives the thread that calls this a second stack, on which it can say that it used up the first.
  static func prepareThread() {
    let size = 1 << 16
    // Never freed: a thread of the crew lasts as long as the process.
    var stack = stack_t()
    stack.ss_sp = UnsafeMutableRawPointer.allocate(byteCount: size, alignment: 16)
    stack.ss_size = size
    sigaltstack(&stack, nil)
  }

  /// Writes where each thread of this process stands, if there is a debugger that can tell.
  private static func showEveryThread() {
    let debugger = Process()
    debugger.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    debugger.arguments = [
      "gdb", "-p", "\(getpid())", "-batch", "-nx", "-ex", "set print frame-arguments none", "-ex",
      "thread apply all backtrace 40",
    ]
    do {
      try debugger.run()
      debugger.waitUntilExit()
    } catch {
      say("  (no debugger could be started: \(error))")
    }
  }

  /// Says what runs from now on; it has to be over, or say something else, in a while.
  static func now(_ command: String, details: @autoclosure () -> String) {
    strncpy(lastWords, "\nCRASHED while this ran: \(command)\n", 511)
    description.value = "  repeat: \(command)\n\(details())"
    looksLeft.store(Int(2 * patience) * looksPerSecond, ordering: .releasing)
  }

  /// Nothing has to go on.
  static func pause() { looksLeft.store(.max, ordering: .releasing) }

  static func uptime() -> Double { Double(DispatchTime.now().uptimeNanoseconds) / 1e9 }
}
