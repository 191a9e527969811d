import Testing

/// Runs a body that has to fail exactly once, so many lines below the call.
///
/// - Returns: The message.
func failure(
  offset: Int = 1, from line: Int = #line, source: SourceLocation = #_sourceLocation, _ body: () -> Void
) -> String {
  let all = issuesOf(source: source, body)
  #expect(all.count == 1, sourceLocation: source)
  guard let issue = all.first else { return "" }
  #expect(issue.sourceLocation?.fileID == source.fileID, sourceLocation: source)
  #expect((issue.sourceLocation?.line ?? 0) - line == offset, sourceLocation: source)
  return issue.comments.first?.rawValue ?? ""
}

/// Runs a body that has to fail, perhaps more than once.
func issuesOf(source: SourceLocation = #_sourceLocation, _ body: () -> Void) -> [Issue] {
  let issues = Issues()
  withKnownIssue(sourceLocation: source) {
    body()
  } matching: { issue in
    issues.add(issue)
    return true
  }
  return issues.all
}

/// Whether sleeps, timers and dispatch queues in real time are noticed, and where a task waits: the hooks for that exist only on Linux.
let noticesRealTime: Bool = {
  #if os(Linux)
    true
  #else
    false
  #endif
}()
