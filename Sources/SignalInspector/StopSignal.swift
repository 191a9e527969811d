import FlyingSocks

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// Ends every wait of the inspector's threads, once and for all.
///
/// It is a pipe: after `send` a byte lies in it that nobody takes out, so that its read end stays ready.
struct StopSignal: Sendable {
  private let readEnd: Int32
  private let writeEnd: Int32

  init() throws {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { throw SocketError.makeFailed("pipe") }
    (readEnd, writeEnd) = (ends[0], ends[1])
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
  }

  func send() {
    var byte: UInt8 = 1
    while write(writeEnd, &byte, 1) < 0, errno == EINTR {}
  }

  /// Frees the descriptors. No thread may be waiting any more.
  func close() {
    for end in [readEnd, writeEnd] { closeDescriptor(end) }
  }

  /// How a wait ended.
  enum Outcome { case ready, hungUp, timedOut, stopped }

  /// Waits until `socket` is ready for `events` (`POLLIN`, `POLLOUT`, or 0: only a hang-up), but not for longer than
  /// until `deadline` (`nil`: for ever) or the stop signal.
  func wait(for events: Int32, on socket: Socket, until deadline: ContinuousClock.Instant?) -> Outcome {
    while true {
      var descriptors = [
        pollfd(fd: socket.file.rawValue, events: Int16(events), revents: 0),
        pollfd(fd: readEnd, events: Int16(POLLIN), revents: 0),
      ]
      let count = poll(&descriptors, nfds_t(descriptors.count), Self.milliseconds(until: deadline))
      if count < 0 {
        if errno == EINTR { continue }
        return .hungUp
      }
      if descriptors[1].revents != 0 { return .stopped }
      let happened = Int32(descriptors[0].revents)
      if happened & events != 0 { return .ready }
      if happened != 0 { return .hungUp }
      if let deadline, deadline <= .now { return .timedOut }
    }
  }

  /// The time until `deadline` as `poll` takes it: rounded up, so that the wait does not end early and spin.
  private static func milliseconds(until deadline: ContinuousClock.Instant?) -> Int32 {
    guard let deadline else { return -1 }
    let left = max(.zero, deadline - .now)
    return Int32(min(3_600_000, (left / .milliseconds(1)).rounded(.up)))
  }
}

private func closeDescriptor(_ descriptor: Int32) { close(descriptor) }
