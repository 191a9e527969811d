package import Foundation

/// One client's socket, with a timeout for every read and write.
package struct ClientConnection: Sendable {
  /// The reason why the connection has ended.
  package enum End: Error { case left, tooSlow, stopped }

  package let socket: LocalSocket
  package let stopSignal: StopSignal
  package let limits: ClientLimits

  private let place: @Sendable () throws -> Bool

  package init(
    socket: LocalSocket, stopSignal: StopSignal, limits: ClientLimits, place: @escaping @Sendable () throws -> Bool
  ) {
    self.socket = socket
    self.stopSignal = stopSignal
    self.limits = limits
    self.place = place
  }

  /// Takes one of the slots of ``ClientLimits/clients``, once its request is known. Without one it is disconnected as
  /// soon as too many others connect.
  ///
  /// - Returns: Whether there was a free one.
  /// - Throws: `End.left` if the client has already been disconnected.
  package func enter() throws -> Bool { try place() }

  /// Reads the available bytes, at least one and at most `count`.
  package func read(atMost count: Int, until deadline: ContinuousClock.Instant) throws -> [UInt8] {
    while true {
      guard let bytes = try socket.read(atMost: count) else {
        try wait(for: .readable, until: deadline)
        continue
      }
      guard !bytes.isEmpty else { throw End.left }
      return bytes
    }
  }

  /// Writes all of `data`; throws `End.tooSlow` if the client does not receive it in time.
  package func write(_ data: Data) throws {
    let deadline = ContinuousClock.now + limits.writeTime
    try data.withUnsafeBytes { bytes in
      var rest = bytes[...]
      while !rest.isEmpty {
        let count = try socket.write(UnsafeRawBufferPointer(rebasing: rest))
        rest = rest.dropFirst(count)
        if count == 0 { try wait(for: .writable, until: deadline) }
      }
    }
  }

  /// Waits until `instant`; throws `End.left` at once if the client hangs up before.
  package func pause(until instant: ContinuousClock.Instant) throws {
    switch stopSignal.wait(for: .hangUp, on: socket, until: instant) {
    case .timedOut: return
    case .ready, .hungUp: throw End.left
    case .interrupted: throw End.stopped
    }
  }

  /// Ends the response, and reads for a short while the data that the client still sends: closing a socket with unread
  /// bytes sends the client an error instead of the response.
  package func finish() {
    guard (try? socket.endWriting()) != nil else { return }
    let deadline = ContinuousClock.now + limits.lingerTime
    var remaining = 64 * limits.headBytes
    while remaining > 0, let bytes = try? read(atMost: 4_096, until: deadline) { remaining -= bytes.count }
  }

  private func wait(for event: LocalSocket.Event, until deadline: ContinuousClock.Instant) throws {
    guard deadline > .now else { throw End.tooSlow }
    switch stopSignal.wait(for: event, on: socket, until: deadline) {
    case .ready: return
    case .hungUp: throw End.left
    case .timedOut: throw End.tooSlow
    case .interrupted: throw End.stopped
    }
  }
}
