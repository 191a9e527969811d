import FlyingSocks
import Foundation

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// One client's socket, with a limit of time on every read and write.
struct ClientConnection: Sendable {
  /// Why nothing more can be exchanged with a client.
  enum End: Error { case left, tooSlow, stopped }

  let socket: Socket
  let stopSignal: StopSignal
  let limits: InspectorLimits

  /// Reads what has come, at least one byte and at most `count`.
  func read(atMost count: Int, until deadline: ContinuousClock.Instant) throws -> [UInt8] {
    while true {
      do {
        return try socket.read(atMost: count)
      } catch SocketError.blocked {
        try wait(for: POLLIN, until: deadline)
      } catch SocketError.disconnected {
        throw End.left
      }
    }
  }

  /// Writes all of `data`; throws `End.tooSlow` when the client does not make room for it in time.
  func write(_ data: Data) throws {
    let deadline = ContinuousClock.now + limits.writeTime
    var position = data.startIndex
    while position < data.endIndex {
      do {
        position = try socket.write(data, from: position)
      } catch SocketError.blocked {
        try wait(for: POLLOUT, until: deadline)
      } catch SocketError.disconnected {
        throw End.left
      }
    }
  }

  /// Waits until `instant`; throws `End.left` at once when the client hangs up before.
  func pause(until instant: ContinuousClock.Instant) throws {
    switch stopSignal.wait(for: 0, on: socket, until: instant) {
    case .timedOut, .ready: return
    case .hungUp: throw End.left
    case .stopped: throw End.stopped
    }
  }

  /// Ends the answer, and takes for a short while what the client still sends: a socket that is closed with unread
  /// bytes in it tells the client of an error instead of the answer.
  func finish() {
    guard shutdown(socket.file.rawValue, Int32(SHUT_WR)) == 0 else { return }
    let deadline = ContinuousClock.now + limits.lingerTime
    var remaining = 64 * limits.headBytes
    while remaining > 0, let bytes = try? read(atMost: 4_096, until: deadline) { remaining -= bytes.count }
  }

  private func wait(for events: Int32, until deadline: ContinuousClock.Instant) throws {
    guard deadline > .now else { throw End.tooSlow }
    switch stopSignal.wait(for: events, on: socket, until: deadline) {
    case .ready: return
    case .hungUp: throw End.left
    case .timedOut: throw End.tooSlow
    case .stopped: throw End.stopped
    }
  }
}
