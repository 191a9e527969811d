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

/// The subscribers of the process's signals. A signal handler may do next to nothing, so it writes the number of its
/// signal into a pipe.
final class ProcessSignalCenter: Sendable {
  private let watched = Mutex<[ProcessSignal: Watched]>([:])
  private let source: RunningSource

  private struct Watched {
    let emitter: Emitter<Void>
    var count = 0
    /// The previous action.
    var previous: sigaction
  }

  private static let made = Mutex<ProcessSignalCenter?>(nil)

  /// The center of the process, created on first use.
  static func shared() throws(SystemCallError) -> ProcessSignalCenter {
    let result = made.withLock { made in
      Result<_, SystemCallError> { () throws(SystemCallError) in
        if let made { return made }
        let new = try ProcessSignalCenter()
        made = new
        return new
      }
    }
    return try result.get()
  }

  private init() throws(SystemCallError) {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { throw SystemCallError("pipe") }
    for end in ends {
      _ = fcntl(end, F_SETFD, FD_CLOEXEC)
      _ = fcntl(end, F_SETFL, O_NONBLOCK)
    }
    let source = DispatchSource.makeReadSource(
      fileDescriptor: ends[0], queue: DispatchQueue(label: "signals.process-signals"))
    self.source = RunningSource(source)
    // Both before the first signal: a handler may not initialise a global variable.
    overflowedSignals.store(0, ordering: .relaxed)
    pipeOfHandler.store(ends[1], ordering: .releasing)
    let pipe = Descriptor(owned: ends[0])
    source.setEventHandler { [weak self] in
      guard case .bytes(let numbers) = pipe.read(atMost: 256) else { return }
      for number in numbers where number > 0 { self?.deliver(ProcessSignal(rawValue: Int32(number))) }
      var overflowed = overflowedSignals.exchange(0, ordering: .acquiring)
      while overflowed != 0 {
        self?.deliver(ProcessSignal(rawValue: Int32(overflowed.trailingZeroBitCount + 1)))
        overflowed &= overflowed - 1
      }
    }
    source.activate()
  }

  private func deliver(_ signal: ProcessSignal) {
    watched.withLock { $0[signal]?.emitter }?.send()
  }

  /// Calls a closure for each occurrence of the signal, until the result is disposed.
  func watch(
    _ signal: ProcessSignal, _ action: @escaping @Sendable () -> Void
  ) throws(SystemCallError) -> Subscription {
    let result = watched.withLock { watched in
      Result<_, SystemCallError> { () throws(SystemCallError) in
        let emitter = watched[signal]?.emitter ?? Emitter()
        // Before the handler is set, so that nothing is missed. No other code is called here.
        let subscription = emitter.signal.subscribe(onValue: action)
        if watched[signal] == nil {
          watched[signal] = Watched(emitter: emitter, previous: try Self.take(signal))
        }
        watched[signal]?.count += 1
        return subscription
      }
    }
    let subscription = try result.get()
    return Subscription {
      subscription.dispose()
      self.leave(signal)
    }
  }

  private func leave(_ signal: ProcessSignal) {
    // Released after the lock: a release may run any code.
    let last: Watched? = watched.withLock { watched in
      guard var entry = watched[signal] else { return nil }
      entry.count -= 1
      watched[signal] = entry.count == 0 ? nil : entry
      if entry.count == 0 { Self.giveBack(signal, entry.previous) }
      return entry
    }
    withExtendedLifetime(last) {}
  }

  /// Sets this library's handler.
  ///
  /// - Returns: The previous action.
  private static func take(_ signal: ProcessSignal) throws(SystemCallError) -> sigaction {
    if signal.isFault { throw SystemCallError("sigaction", code: EINVAL) }
    var (new, previous) = (sigaction(), sigaction())
    new.handler = noteProcessSignal
    new.sa_flags = SA_RESTART
    sigemptyset(&new.sa_mask)
    guard sigaction(signal.rawValue, &new, &previous) == 0 else { throw SystemCallError("sigaction") }
    return previous
  }

  private static func giveBack(_ signal: ProcessSignal, _ previous: sigaction) {
    var (current, previous) = (sigaction(), previous)
    guard sigaction(signal.rawValue, nil, &current) == 0, current.isOurs else { return }
    sigaction(signal.rawValue, &previous, nil)
  }
}

/// The pipe that the handler writes to. It is set before the first handler is.
private let pipeOfHandler = Atomic<Int32>(-1)

/// The signals that found the pipe full, a bit for each number from 1 on.
private let overflowedSignals = Atomic<UInt64>(0)

/// Runs wherever the signal interrupts a thread: it may neither allocate nor lock.
private let noteProcessSignal: @convention(c) (Int32) -> Void = { number in
  let before = errno
  var byte = UInt8(truncatingIfNeeded: number)
  let pipe = pipeOfHandler.load(ordering: .relaxed)
  if write(pipe, &byte, 1) != 1 {
    overflowedSignals.bitwiseOr(1 &<< UInt64(truncatingIfNeeded: number &- 1), ordering: .releasing)
    // Wakes the reader, if it has emptied the pipe in the meantime; else it is still going to read it.
    byte = 0
    _ = write(pipe, &byte, 1)
  }
  errno = before
}

extension sigaction {
  fileprivate var handler: (@convention(c) (Int32) -> Void)? {
    get {
      #if canImport(Darwin)
        __sigaction_u.__sa_handler
      #elseif canImport(Musl)
        __sa_handler.sa_handler
      #elseif canImport(Android)
        sa_handler
      #else
        __sigaction_handler.sa_handler
      #endif
    }
    set {
      #if canImport(Darwin)
        __sigaction_u.__sa_handler = newValue
      #elseif canImport(Musl)
        __sa_handler.sa_handler = newValue
      #elseif canImport(Android)
        sa_handler = newValue
      #else
        __sigaction_handler.sa_handler = newValue
      #endif
    }
  }

  fileprivate var isOurs: Bool {
    // Safe: both are C functions, which are one pointer, like an `Int`; the numbers are only compared.
    unsafeBitCast(handler, to: Int.self) == unsafeBitCast(noteProcessSignal, to: Int.self)
  }
}
