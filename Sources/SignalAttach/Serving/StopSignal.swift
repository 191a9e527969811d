#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Android)
  import Android
#else
  #error("SignalAttach needs pipes: it knows Darwin, Glibc, Musl and Android.")
#endif

/// Ends every wait of a server's threads permanently.
///
/// It is a pipe: after `send` it contains a byte that is never read, so that its read end stays ready.
package struct StopSignal: Sendable {
  private let readEnd: Int32
  private let writeEnd: Int32

  package init() throws(SystemCallError) {
    var ends: [Int32] = [-1, -1]
    try SystemCallError.check("pipe", pipe(&ends))
    (readEnd, writeEnd) = (ends[0], ends[1])
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
  }

  package func send() {
    var byte: UInt8 = 1
    while write(writeEnd, &byte, 1) < 0, errno == EINTR {}
  }

  /// Frees the descriptors. No thread may be waiting any more.
  package func close() {
    for end in [readEnd, writeEnd] { closeDescriptor(end) }
  }

  /// Waits until `socket` is ready for `event`, `deadline` (`nil`: none) has passed, or the signal is sent.
  package func wait(
    for event: LocalSocket.Event, on socket: LocalSocket, until deadline: ContinuousClock.Instant?
  ) -> LocalSocket.Outcome {
    socket.wait(for: event, until: deadline, interruptedBy: readEnd)
  }
}

private func closeDescriptor(_ descriptor: Int32) { close(descriptor) }
