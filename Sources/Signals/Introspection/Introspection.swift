import Foundation

#if SIGNALS_THREAD_SANITIZER
  import Synchronization
#else
  public import Synchronization
#endif

/// Turns the live graph on and off.
///
/// While it is off nothing is recorded, and a value's way through a chain is the same as without it. While it is on, each subscription that is
/// made is recorded; subscriptions made before are not.
public enum Introspection {
  /// How many reasons there are to record: the process-wide switch, and each recorder that a test installed.
  private static let reasons = Atomic<Int>(isRequested ? 1 : 0)

  private static var isRequested: Bool { ProcessInfo.processInfo.environment["SIGNALS_GRAPH"] == "1" }

  @usableFromInline static let processRecorder = Mutex<GraphRecorder?>(isRequested ? GraphRecorder() : nil)

  /// Whether anything is recorded anywhere in this process.
  #if SIGNALS_WITHOUT_GRAPH
    @inlinable static var isOn: Bool { false }
  #else
    @usableFromInline static var isOn: Bool { reasons.load(ordering: .relaxed) > 0 }
  #endif

  /// Starts to record the whole process; does nothing if that is on already.
  ///
  /// The environment variable `SIGNALS_GRAPH=1` has the same effect from the start of the process.
  ///
  /// - Returns: The recorder, for snapshots.
  @discardableResult
  public static func enable() -> GraphRecorder {
    processRecorder.withLock { recorder in
      if let recorder { return recorder }
      let new = GraphRecorder()
      recorder = new
      reasons.add(1, ordering: .relaxed)
      return new
    }
  }

  /// Stops recording the whole process and forgets what was recorded.
  public static func disable() {
    let old = processRecorder.withLock { recorder in
      defer { recorder = nil }
      return recorder
    }
    if old != nil { reasons.subtract(1, ordering: .relaxed) }
  }

  /// The recorder of the whole process, while that is on.
  public static var recorder: GraphRecorder? { processRecorder.withLock { $0 } }

  static func addReason() { reasons.add(1, ordering: .relaxed) }
  static func removeReason() { reasons.subtract(1, ordering: .relaxed) }
}
