import Dispatch
import Signals

#if canImport(Darwin)
  import Darwin
#elseif canImport(Android)
  import Android
#elseif canImport(Musl)
  import Musl
#elseif canImport(Glibc)
  import Glibc
#endif

/// A duplicate of a file descriptor, for one subscription. Whoever has the original may close it at any time.
struct Descriptor: Sendable {
  let number: Int32

  init(copyOf original: Int32) throws(SystemCallError) {
    number = fcntl(original, F_DUPFD_CLOEXEC, 0)
    guard number >= 0 else { throw SystemCallError("fcntl") }
  }

  /// Takes over a descriptor that nobody else closes.
  init(owned number: Int32) { self.number = number }

  enum Direction {
    case reading, writing
  }

  /// Calls a closure again and again while the descriptor is ready, until the signal of the producer is over; closes it then.
  func whenReady<Value>(
    for direction: Direction, _ producer: Producer<Value>, _ action: @escaping @Sendable () -> Void
  ) {
    let queue = DispatchQueue(label: "signals.descriptor")
    let source: any DispatchSourceProtocol
    do throws(SystemCallError) {
      source = try makeSource(for: direction, queue)
    } catch {
      _ = close(number)
      return producer.fail(error)
    }
    // A source says only once that the other end is closed, and nothing about what is always ready, such as a folder. So the system is asked until the
    // descriptor is not ready, and once at the beginning.
    let proceed: @Sendable () -> Void = {
      while producer.isActive, isReady(for: direction) { action() }
    }
    source.setEventHandler { proceed() }
    queue.async(execute: proceed)
    source.activate()
    let running = RunningSource(source)
    producer.onDisposal { running.cancel() }
  }

  /// A source that closes the descriptor when it has been cancelled; it has to be open until then.
  private func makeSource(
    for direction: Direction, _ queue: DispatchQueue
  ) throws(SystemCallError) -> any DispatchSourceProtocol {
    #if os(Linux) || os(Android)
      if let shield = try HangUpShield(number, for: direction) {
        let source = DispatchSource.makeReadSource(fileDescriptor: shield.number, queue: queue)
        source.setCancelHandler { [number] in
          shield.close()
          _ = close(number)
        }
        return source
      }
    #endif
    let source: any DispatchSourceProtocol =
      switch direction {
      case .reading: DispatchSource.makeReadSource(fileDescriptor: number, queue: queue)
      case .writing: DispatchSource.makeWriteSource(fileDescriptor: number, queue: queue)
      }
    source.setCancelHandler { [number] in _ = close(number) }
    return source
  }

  private func isReady(for direction: Direction) -> Bool {
    var question = pollfd(fd: number, events: Int16(direction == .reading ? POLLIN : POLLOUT), revents: 0)
    // The end, and an error, make it ready too.
    return poll(&question, 1, 0) > 0
  }

  /// How many bytes can be read now; nil where the system does not know.
  private var available: Int? {
    var count: Int32 = 0
    return ioctl(number, UInt(FIONREAD), &count) == 0 ? Int(count) : nil
  }

  enum Reading {
    case bytes([UInt8])
    /// Nothing can be read now.
    case nothing
    case end
    case failure(SystemCallError)
  }

  /// Reads what there is, without waiting for more.
  func read(atMost limit: Int) -> Reading {
    let count = min(max(1, limit), max(1, available ?? 4_096))
    var error: SystemCallError?
    let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, initializedCount in
      #if canImport(Darwin)
        let result = Darwin.read(number, buffer.baseAddress, count)
      #elseif canImport(Android)
        let result = Android.read(number, buffer.baseAddress!, count)
      #elseif canImport(Musl)
        let result = Musl.read(number, buffer.baseAddress, count)
      #elseif canImport(Glibc)
        let result = Glibc.read(number, buffer.baseAddress, count)
      #endif
      if result < 0 { error = SystemCallError("read") }
      initializedCount = max(0, result)
    }
    if let error {
      return [EAGAIN, EWOULDBLOCK, EINTR].contains(error.code) ? .nothing : .failure(error)
    }
    return bytes.isEmpty ? .end : .bytes(bytes)
  }
}

/// A dispatch source as closures may keep it.
// Safe: a dispatch source may be used from any thread.
struct RunningSource: @unchecked Sendable {
  private let source: any DispatchSourceProtocol

  init(_ source: any DispatchSourceProtocol) { self.source = source }

  /// About how many bytes can be read or written.
  var available: Int { Int(clamping: source.data) }

  /// Ends the source; what its handlers keep is freed.
  func cancel() { source.cancel() }
}
