/// Attributes the handling of a value that waited in an operator to the value's cause, and not to the event that ended
/// the wait.
///
/// None of this has an effect while the graph is off. All of it is thread-safe.
@usableFromInline
struct WaitingOrigins: Sendable {
  @usableFromInline let recording: QueueRecording

  @inlinable
  init(_ recording: QueueRecording) { self.recording = recording }

  /// Continues with the value that was just removed.
  @usableFromInline
  func goOnWithTaken(_ body: () throws -> Void) rethrows {
    try recording.goOn(body)
  }

  /// The origin for the next work of the operator's task, with the value that was just removed.
  var ofTaken: JobOrigin { JobOrigin(author: recording.nextAuthor()) }

  /// Notes that the operator's running task has a result, which another task may deliver.
  func keep(ofResult number: Int) { recording.noteResult(number) }

  /// Delivers a result.
  func with(result number: Int, _ body: () -> Void) { recording.handDown(number, body) }
}

/// The origin to which a task of an operator attributes its work.
struct JobOrigin: Sendable {
  /// The origin of a task's first value, under which the task is started.
  static let ofTask = JobOrigin(author: nil)

  private let author: JobAuthor?

  fileprivate init(author: JobAuthor?) { self.author = author }

  func run(_ work: () async -> Void) async {
    if let author { await author.run(work) } else { await work() }
  }
}
