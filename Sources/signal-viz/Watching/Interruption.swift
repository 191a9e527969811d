import Dispatch
import Foundation
import Synchronization

/// Handles Ctrl-C and other requests to end by ending waits, so that work can be completed. A later request ends the
/// process at once.
final class Interruption {
  /// A descriptor that becomes readable on the request.
  let descriptor: Int32
  private let sources: [any DispatchSourceSignal]
  private let pipe = Pipe()
  private let request = Request()

  private final class Request: Sendable {
    struct CleanUp {
      var run: @Sendable () -> Void = {}
    }

    let firstAt = Mutex<ContinuousClock.Instant?>(nil)
    let cleanUp = Mutex(CleanUp())
  }

  init() {
    descriptor = pipe.fileHandleForReading.fileDescriptor
    let end = pipe.fileHandleForWriting
    let request = request
    Unfinished.shared.leaveSignals()
    sources = Unfinished.signals.compactMap { number in
      Unfinished.source(of: number) {
        let now = ContinuousClock.now
        let firstAt = request.firstAt.withLock { firstAt in
          defer { firstAt = firstAt ?? now }
          return firstAt
        }
        guard let firstAt else {
          try? end.close()
          return
        }
        // A terminal and a parent process may make the same request.
        guard now - firstAt >= .milliseconds(500) else { return }
        request.cleanUp.withLock { $0 }.run()
        Unfinished.shared.clear()
        _exit(128 + number)
      }
    }
  }

  /// Sets what runs on another thread when a later request ends the process. It must not wait for anything.
  func beforeEndAtOnce(_ cleanUp: @escaping @Sendable () -> Void) {
    request.cleanUp.withLock { $0.run = cleanUp }
  }

  /// Waits for a time, or until the request to end.
  ///
  /// - Returns: Whether the request came.
  func comes(within time: Duration) -> Bool {
    let deadline = ContinuousClock.now + time
    while true {
      let rest = max(.zero, deadline - .now)
      let milliseconds = Int32(clamping: Int64((rest / .milliseconds(1)).rounded(.up)))
      var wanted = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      let count = poll(&wanted, 1, milliseconds)
      if count > 0 { return true }
      if ContinuousClock.now >= deadline { return false }
    }
  }
}
