/// Reruns a passing marble test, disposing its subscriptions at a different point each time: at every frame, before and after every
/// work item, and inside the handler of every event.
///
/// After a disposal no event may come; the sources of the test have no subscription left; and nothing of the chain
/// remains: no closure, no task and no work in the scheduler. These are laws 7 and 9, for a whole chain. The chain may
/// not leave virtual time either. Each kind of failure is reported once, with the events until then and the point of the
/// disposal, as marbles.
///
/// ```swift
/// @Test func searchCanBeLeftAnywhere() {
///   cancelEverywhere { m in
///     let keys = m.hot("-a-b----c--|")
///     m.expect(keys.signal.debounce(for: .milliseconds(3), on: m.scheduler), "------b----(c|)")
///   }
/// }
/// ```
///
/// The test first and last runs unchanged, and has to pass both times. All subscriptions of its expectations are disposed together. The
/// runs with a disposal ignore the diagrams, the test's own expectations, such as an `#expect` in `m.at`, which may rely
/// on values that no longer come, and unhandled failures. Assertions of XCTest are ignored only in an
/// ``ExploringTestCase``. Other subscriptions of the test have to be over by its end, as with
/// ``assertNoLeaks(ignoring:allowing:fileID:filePath:line:column:_:)``.
///
/// - Parameters:
///   - dialect: The notation of all diagrams.
///   - frame: The length of a `-`; whole nanoseconds.
///   - timeLimit: The virtual time after which a run with remaining work fails.
///   - workLimit: The maximum number of work items in one stretch of a run.
///   - declare: Creates sources and expectations, for each run.
/// - Returns: The number of disposal points; 0 if the test does not pass.
/// - Complexity: O(*n*²) in the number of events, of work items, and of frames up to 1,000.
@discardableResult
public func cancelEverywhere(
  dialect: MarbleDialect = .signals, frame: Duration = MarbleDiagram.defaultFrame,
  timeLimit: Duration = .seconds(86_400), workLimit: Int = 100_000,
  fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column,
  _ declare: (MarbleTest) throws -> Void
) -> Int {
  let settings = MarbleSettings(
    dialect: dialect, frame: frame, timeLimit: timeLimit, workLimit: workLimit, fileID: fileID, filePath: filePath,
    line: line, column: column)
  let place = settings.place
  let plain = CancellationTrial(.never, settings, declare)
  guard plain.failures.isEmpty else {
    for failure in plain.failures where !failure.isTold {
      report(failure.message, at: failure.source ?? place, else: place)
    }
    return 0
  }
  guard plain.hasSubscribers else {
    report(
      "There is nothing to dispose: no expectation of the test subscribes. Add m.expect(signal, \"--a--|\").", at: place
    )
    return 0
  }
  var counts: [String: Int] = [:]
  var found: [CancellationTrial.Violation] = []
  let points = plain.points
  for point in points {
    let trial = CancellationTrial(point, settings, declare)
    if trial.failures.contains(where: \.isTold) {
      report(
        """
        An assertion of XCTest failed in a run with a disposal, where values are missing.
          Such assertions are ignored only in a subclass of ExploringTestCase: let the test inherit from it.
        """, at: place)
      return points.count
    }
    for finding in trial.findings {
      counts[finding.kind, default: 0] += 1
      if counts[finding.kind] == 1 { found.append(finding) }
    }
  }
  let again = CancellationTrial(.never, settings, declare)
  if !again.failures.isEmpty { settings.reportPassedOnce(again.failures) }
  for finding in found {
    let others = (counts[finding.kind] ?? 1) - 1
    let more = others > 0 ? "\n\nThe same at \(others) other point\(others == 1 ? "" : "s") of \(points.count)." : ""
    report((finding.message + more).framed, at: place, else: place)
  }
  return points.count
}
