package import Foundation

/// One client's socket, with a limit of time on every read and write.
package struct ClientConnection: Sendable {
  /// Why nothing more can be exchanged with a client.
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

  /// Takes one of the places of ``ClientLimits/clients``, once its request is known. Without one it is cut off as soon as too many others connect.
  ///
  /// - Returns: Whether there was one.
  /// - Throws: `End.left` where the client was cut off already.
  package func enter() throws -> Bool { try place() }

  /// Reads what has come, at least one byte and at most `count`.
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

  /// Writes all of `data`; throws `End.tooSlow` when the client does not make room for it in time.
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

  /// Waits until `instant`; throws `End.left` at once when the client hangs up before.
  package func pause(until instant: ContinuousClock.Instant) throws {
    switch stopSignal.wait(for: .hangUp, on: socket, until: instant) {
    case .timedOut: return
    case .ready, .hungUp: throw End.left
    case .interrupted: throw End.stopped
    }
  }

  /// Ends the answer, and takes for a short while what the client still sends: a socket that is closed with unread
  /// bytes in it tells the client of an error instead of the answer.
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
