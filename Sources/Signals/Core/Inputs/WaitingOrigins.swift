/// Lets what an operator does with a value that it let wait be done in the name of what caused that value, and not of what ended the waiting.
///
/// Nothing of this does anything while the graph is off. Each of these may be called on any thread.
@usableFromInline
struct WaitingOrigins: Sendable {
  @usableFromInline let recording: QueueRecording

  @inlinable
  init(_ recording: QueueRecording) { self.recording = recording }

  /// Goes on with the value that was just taken out.
  @usableFromInline
  func goOnWithTaken(_ body: () throws -> Void) rethrows {
    try recording.goOn(body)
  }

  /// What a task of the operator does next, with the value that was just taken out, is done in the name of this.
  var ofTaken: JobOrigin { JobOrigin(author: recording.nextAuthor()) }

  /// Notes that the operator's task that runs has a result, which another task may hand down.
  func keep(ofResult number: Int) { recording.noteResult(number) }

  /// Hands a result down.
  func with(result number: Int, _ body: () -> Void) { recording.handDown(number, body) }
}

/// In whose name a task of an operator works.
struct JobOrigin: Sendable {
  /// That of the first value of a task, which is started in its name.
  static let ofTask = JobOrigin(author: nil)

  private let author: JobAuthor?

  fileprivate init(author: JobAuthor?) { self.author = author }

  func run(_ work: () async -> Void) async {
    if let author { await author.run(work) } else { await work() }
  }
}
