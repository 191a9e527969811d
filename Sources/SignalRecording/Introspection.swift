import Synchronization

#if canImport(Darwin)
  import Darwin
#elseif canImport(Android)
  import Android
#elseif canImport(Musl)
  import Musl
#elseif canImport(Glibc)
  import Glibc
#else
  #error("SignalRecording needs the C library of the system: it knows Darwin, Android, Musl and Glibc.")
#endif

/// Turns the live graph on and off.
///
/// ```swift
/// import SignalGraph
///
/// let bag = DisposeBag()
/// let recorder = Introspection.enable()
/// Property(1).signal.map { $0 + 1 }.subscribe { print($0) }.store(in: bag)
/// print("\(recorder.snapshot().nodes.count) nodes")
/// Introspection.disable()
/// ```
///
/// While it is off nothing is recorded, and the path of a value through a chain is the same as without it. While it is
/// on, each new subscription is recorded; earlier ones are not.
public enum Introspection {
  /// The number of reasons to record: the process-wide switch, and each recorder that a test installed.
  private static let reasons = Atomic<Int>(isRequested ? 1 : 0)

  private static let hasBeenOn = Atomic<Bool>(isRequested)

  private static var isRequested: Bool { getenv("SIGNALS_GRAPH").map { String(cString: $0) } == "1" }

  /// One for the whole life of the process, so that a subscription finds it without a lock.
  static let processRecorder = Unmanaged.passRetained(GraphRecorder(permanentWithEndedLimit: 256))
  private static let isProcessRecorded = Atomic<Bool>(isRequested)
  private static let switching = Mutex(())

  /// Whether anything is recorded anywhere in this process.
  #if SIGNALS_WITHOUT_GRAPH
    @inlinable package static var isOn: Bool { false }
    package static var mayHaveRecorded: Bool { false }
  #else
    @usableFromInline package static var isOn: Bool { reasons.load(ordering: .relaxed) > 0 }
    /// Whether anything was recorded in this process: recorded objects may end when nothing records any more.
    package static var mayHaveRecorded: Bool { hasBeenOn.load(ordering: .relaxed) }
  #endif

  /// Starts to record the whole process; does nothing if that is on already.
  ///
  /// The environment variable `SIGNALS_GRAPH=1` has the same effect from the start of the process.
  ///
  /// - Returns: The recorder, for snapshots.
  @discardableResult
  public static func enable() -> GraphRecorder {
    switching.withLock { _ in
      guard !isProcessRecorded.load(ordering: .relaxed) else { return }
      processRecorder._withUnsafeGuaranteedRef { $0.reopen() }
      isProcessRecorded.store(true, ordering: .relaxed)
      addReason()
    }
    return processRecorder.takeUnretainedValue()
  }

  /// Stops recording the whole process and discards the recording.
  public static func disable() {
    switching.withLock { _ in
      guard isProcessRecorded.load(ordering: .relaxed) else { return }
      reasons.subtract(1, ordering: .relaxed)
      isProcessRecorded.store(false, ordering: .relaxed)
      processRecorder._withUnsafeGuaranteedRef { recorder in
        // Discarded members would be profiled for ever.
        if recorder.link.isTracing { recorder.endTracing() }
        recorder.close()
      }
    }
  }

  /// The recorder of the whole process, while that is on.
  public static var recorder: GraphRecorder? {
    isProcessRecorded.load(ordering: .relaxed) ? processRecorder.takeUnretainedValue() : nil
  }

  /// The same, without a retain.
  static var recorderOfProcess: Unmanaged<GraphRecorder>? {
    isProcessRecorded.load(ordering: .relaxed) ? processRecorder : nil
  }

  static func addReason() {
    hasBeenOn.store(true, ordering: .relaxed)
    reasons.add(1, ordering: .relaxed)
  }
  static func removeReason() { reasons.subtract(1, ordering: .relaxed) }
}
