import Dispatch
import Foundation

/// Ctrl-C, or another request to end: it ends waits, so that what is done can be finished. A second one ends the process at once.
final class Interruption {
  /// What can be read from once there was one.
  let descriptor: Int32
  private let sources: [any DispatchSourceSignal]
  private let pipe = Pipe()

  init() {
    descriptor = pipe.fileHandleForReading.fileDescriptor
    let end = pipe.fileHandleForWriting
    Unfinished.shared.leaveSignals()
    sources = Unfinished.signals.compactMap { number in
      Unfinished.source(of: number) {
        // It is closed by the first one.
        do { try end.close() } catch {
          Unfinished.shared.clear()
          _exit(128 + number)
        }
      }
    }
  }

  /// Waits so long, or for the request to end.
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
