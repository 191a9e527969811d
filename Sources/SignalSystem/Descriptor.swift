import Dispatch
import Signals
import Synchronization

#if canImport(Darwin)
  import Darwin
#elseif canImport(Android)
  import Android
#elseif canImport(Musl)
  import Musl
#elseif canImport(Glibc)
  import Glibc
#endif

/// A duplicate of a file descriptor, for one subscription. The owner of the original may close it at any time.
struct Descriptor: Sendable {
  let number: Int32

  init(copyOf original: Int32) throws(SystemCallError) {
    number = fcntl(original, F_DUPFD_CLOEXEC, 0)
    guard number >= 0 else { throw SystemCallError("fcntl") }
  }

  /// A duplicate to read from. One that can never be read is refused: most would never be ready.
  init(readableCopyOf original: Int32) throws(SystemCallError) {
    try self.init(copyOf: original)
    let problem =
      if fcntl(number, F_GETFL) & (O_RDONLY | O_WRONLY | O_RDWR) == O_WRONLY {
        EBADF
      } else if isListening {
        ENOTCONN
      } else {
        Int32(0)
      }
    guard problem == 0 else {
      _ = close(number)
      throw SystemCallError("read", code: problem)
    }
  }

  /// Takes ownership of a descriptor.
  init(owned number: Int32) { self.number = number }

  enum Direction {
    case reading, writing
  }

  /// Calls a closure repeatedly while the descriptor is ready, until the signal of the producer is over; closes it
  /// then.
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
    // A source reports only once that the other end is closed, and never that a descriptor is always ready, such as a
    // directory. So readiness is queried until the descriptor is not ready, and once at the beginning.
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
    // The end, and an error, make it ready too.
    readiness(for: direction == .reading ? POLLIN : POLLOUT) != 0
  }

  private func readiness(for events: Int32) -> Int32 {
    var question = pollfd(fd: number, events: Int16(truncatingIfNeeded: events), revents: 0)
    return poll(&question, 1, 0) > 0 ? Int32(question.revents) : 0
  }

  /// The number of bytes that can be read now; nil if the system does not know.
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

  /// Reads the available bytes, without waiting for more: another reader may have taken them.
  ///
  /// - Parameter end: Whether the subscription is over: then nothing is read.
  func read(atMost limit: Int, unless end: ReadingEnd = .never) -> Reading {
    let kind = kind
    let count = min(max(1, limit), count(of: kind))
    var code: Int32 = 0
    let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, initializedCount in
      let result = readWithoutWaiting(buffer, kind, unless: end)
      if result < 0 { code = Int32(truncatingIfNeeded: -result) }
      initializedCount = max(0, result)
    }
    if code != 0 {
      guard [EAGAIN, EWOULDBLOCK, EINTR].contains(code) else { return .failure(SystemCallError("read", code: code)) }
      // A datagram socket that was shut down is ready for ever.
      return kind == S_IFSOCK && takesDatagrams && isShutDown ? .end : .nothing
    }
    if bytes.isEmpty { return kind == S_IFSOCK && hasEmptyMessage ? .bytes([]) : .end }
    // A file without a size, or a message: the value retains no more memory than it needs.
    let isTooLarge = bytes.count * (kind == S_IFSOCK ? 1 : 4) < count
    return .bytes(isTooLarge ? bytes.withUnsafeBufferPointer { Array($0) } : bytes)
  }

  /// The number of bytes to read at most.
  private func count(of kind: mode_t) -> Int {
    // FIONREAD is negative for 2 GB of a file and more, and 0 for files without a size, such as those of /proc, of which
    // some can be read only as a whole.
    let isFile = kind == S_IFREG || kind == S_IFBLK
    // Of sockets with messages it may be the length of the next one, which another reader may take; the rest of a longer
    // one would be lost.
    if kind == S_IFSOCK, option(SO_TYPE) != streamType { return max(65_536, available ?? 0) }
    guard let available else { return isFile ? 65_536 : 4_096 }
    return available > 0 ? available : isFile ? 65_536 : 1
  }

  /// Whether a socket from which no byte was read got an empty message, which is not its end.
  private var hasEmptyMessage: Bool {
    #if os(Linux) || os(Android)
      // Reading a datagram socket that was shut down fails.
      takesDatagrams || option(SO_TYPE) != streamType && (!isShutDown || (available ?? 0) > 0)
    #else
      takesDatagrams && !isShutDown
    #endif
  }

  private var takesDatagrams: Bool { option(SO_TYPE) == datagramType }

  /// Whether it is a socket that accepts connections. Darwin does not tell.
  private var isListening: Bool { (option(SO_ACCEPTCONN) ?? 0) != 0 }

  /// An option of a socket; nil if it is none.
  private func option(_ name: Int32) -> Int32? {
    var value: Int32 = 0
    var size = socklen_t(MemoryLayout.size(ofValue: value))
    return getsockopt(number, SOL_SOCKET, name, &value, &size) == 0 ? value : nil
  }

  /// Whether nothing more can be received from a socket.
  private var isShutDown: Bool {
    #if os(Linux) || os(Android)
      // POLLRDHUP, which the C library declares only as an extension.
      readiness(for: 0x2000) & 0x2000 != 0
    #else
      readiness(for: POLLIN) & POLLHUP != 0
    #endif
  }

  /// - Returns: The number of bytes read, or a negative error code.
  private func readWithoutWaiting(
    _ buffer: UnsafeMutableBufferPointer<UInt8>, _ kind: mode_t, unless end: ReadingEnd
  ) -> Int {
    func checked(_ result: Int) -> Int { result < 0 ? -Int(errno) : result }
    switch kind {
    case S_IFSOCK:
      return end.unlessOver { checked(recv(number, buffer.baseAddress, buffer.count, Int32(MSG_DONTWAIT))) }
        ?? -Int(EAGAIN)
    case S_IFREG, S_IFBLK:
      // They do not make a reader wait for a writer.
      return checked(systemRead(number, buffer.baseAddress!, buffer.count))
    default: break
    }
    #if os(Linux) || os(Android)
      guard let attempt = end.unlessOver({ readNow(buffer) }) else { return -Int(EAGAIN) }
      if let result = attempt { return result }
    #endif
    // A pipe that is ready without a byte, and without a hang-up, was emptied by another reader. A terminal is not: it is at its end.
    if kind == S_IFIFO, available == 0, readiness(for: POLLIN) & POLLHUP == 0 { return -Int(EAGAIN) }
    return checked(systemRead(number, buffer.baseAddress!, buffer.count))
  }

  /// The type of the file, as `S_IFREG` and the like.
  private var kind: mode_t {
    var status = stat()
    return fstat(number, &status) == 0 ? status.st_mode & S_IFMT : 0
  }
}

/// Whether a subscription is over, for reads of bytes that another reader may need: none begins after the disposal has
/// returned.
final class ReadingEnd: Sendable {
  /// For a descriptor without another reader.
  static let never = ReadingEnd()

  private let isOver = Mutex(false)

  func note() { isOver.withLock { $0 = true } }

  /// Reads, without waiting, while no thread ends the subscription.
  func unlessOver<Result: Sendable>(_ read: () -> Result) -> Result? { isOver.withLock { $0 ? nil : read() } }
}

/// `SOCK_DGRAM`, which C libraries import as different types.
private var datagramType: Int32 {
  #if canImport(Glibc)
    Int32(SOCK_DGRAM.rawValue)
  #else
    Int32(SOCK_DGRAM)
  #endif
}

/// `SOCK_STREAM`.
private var streamType: Int32 {
  #if canImport(Glibc)
    Int32(SOCK_STREAM.rawValue)
  #else
    Int32(SOCK_STREAM)
  #endif
}

private func systemRead(_ descriptor: Int32, _ bytes: UnsafeMutableRawPointer, _ count: Int) -> Int {
  #if canImport(Darwin)
    Darwin.read(descriptor, bytes, count)
  #elseif canImport(Android)
    Android.read(descriptor, bytes, count)
  #elseif canImport(Musl)
    Musl.read(descriptor, bytes, count)
  #elseif canImport(Glibc)
    Glibc.read(descriptor, bytes, count)
  #endif
}

/// A dispatch source that closures can capture.
// Safe: a dispatch source may be used from any thread.
struct RunningSource: @unchecked Sendable {
  private let source: any DispatchSourceProtocol

  init(_ source: any DispatchSourceProtocol) { self.source = source }

  /// An estimate of the bytes that can be read or written.
  var available: Int { Int(clamping: source.data) }

  /// Ends the source; the captures of its handlers are released.
  func cancel() { source.cancel() }
}
