import Synchronization

/// Leads from recorded objects to their recorder, without retaining it: a recorder without references is deallocated
/// with all its members.
// Safe: the two variables are written once, while the recorder is being created and no other code has this; the runtime
// clears a weak reference atomically.
final class RecorderLink: @unchecked Sendable {
  private weak var recorder: GraphRecorder?
  /// The recorder of the process always exists, and is found without a check.
  private var permanent: Unmanaged<GraphRecorder>?

  /// Sets the recorder, which is being created. Called once.
  func lead(to recorder: GraphRecorder) {
    if recorder.isPermanent { permanent = .passUnretained(recorder) } else { self.recorder = recorder }
  }

  /// Whether new groups of nodes profile their handlers.
  let tracing = Atomic<Bool>(false)

  /// The events during a recording.
  let events = EventLog()

  var isTracing: Bool { tracing.load(ordering: .relaxed) }

  var isPermanent: Bool { permanent != nil }

  /// The stored description of a failure. It may be the program's code: no lock may be held.
  ///
  /// Other processes may read the members of the process's recorder: of its failures only the parts that the program's
  /// value description shows, else their type.
  func words(of failure: any Error) -> String {
    guard isPermanent else { return FailureWords.text(of: failure) { String(describing: $0) } }
    let describe = use { $0.valueDescription } ?? nil
    return FailureWords.text(of: failure, by: describe ?? { _ in nil })
  }

  /// Calls a closure with the recorder, if it still exists; it is retained for the call.
  func use<Result>(_ body: (GraphRecorder) -> Result) -> Result? {
    // Safe: a permanent recorder is never freed.
    permanent?._withUnsafeGuaranteedRef(body) ?? recorder.map(body)
  }
}
