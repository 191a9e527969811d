import Dispatch
import Foundation

/// Handles Ctrl-C and other requests to end by ending waits, so that work can be completed. A second request ends the
/// process at once.
final class Interruption {
  /// A descriptor that becomes readable on the request.
  let descriptor: Int32
  private let sources: [any DispatchSourceSignal]
  private let pipe = Pipe()

  init() {
    descriptor = pipe.fileHandleForReading.fileDescriptor
    let end = pipe.fileHandleForWriting
    Unfinished.shared.leaveSignals()
    sources = Unfinished.signals.compactMap { number in
      Unfinished.source(of: number) {
        // The first request closes it.
        do { try end.close() } catch {
          Unfinished.shared.clear()
          _exit(128 + number)
        }
      }
    }
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
