import Synchronization

/// Leads from what is recorded to its recorder, without keeping it: a recorder that nobody holds any more is freed with all that it kept.
// Safe: the two variables are written once, while the recorder is being made and nobody else has this; the runtime clears a weak
// reference atomically.
final class RecorderLink: @unchecked Sendable {
  private weak var recorder: GraphRecorder?
  /// The recorder of the process is there always, and found without looking whether it is.
  private var permanent: Unmanaged<GraphRecorder>?

  /// Lets this lead to a recorder that is being made. Called once.
  func lead(to recorder: GraphRecorder) {
    if recorder.isPermanent { permanent = .passUnretained(recorder) } else { self.recorder = recorder }
  }

  /// Whether new groups of nodes trace what their handlers do.
  let tracing = Atomic<Bool>(false)

  /// What happens while somebody records it.
  let events = EventLog()

  var isTracing: Bool { tracing.load(ordering: .relaxed) }

  var isPermanent: Bool { permanent != nil }

  /// The words that are kept of a failure. They may be the program's: no lock may be held.
  ///
  /// What the recorder of the process keeps, others may read: of its failures only what the program shows of its values, and else their type.
  func words(of failure: any Error) -> String {
    guard isPermanent else { return FailureWords.text(of: failure) { String(describing: $0) } }
    let describe = use { $0.valueDescription } ?? nil
    return FailureWords.text(of: failure, by: describe ?? { _ in nil })
  }

  /// Calls a closure with the recorder, if it is still there; it is kept for the call.
  func use<Result>(_ body: (GraphRecorder) -> Result) -> Result? {
    // Safe: a permanent recorder is never freed.
    permanent?._withUnsafeGuaranteedRef(body) ?? recorder.map(body)
  }
}
