/// Mutation testing for marble tests: mutates one event of one source at a time, and reports the mutations that no
/// expectation noticed.
///
/// For each event of each source, the test runs without it, with it twice, with it a frame later, and swapped with the
/// next one. A test that still passes does not depend on that event.
///
/// ```swift
/// let report = mutateSources { m in
///   let prices = m.hot("-a-b-|")
///   m.expect(prices.signal.count(), "-----(<2>|)", values: ["2": 2])
/// }
/// print(report)  // 6 of 9 mutations noticed. Not noticed: ...
/// ```
///
/// The test first and last runs unchanged, and has to pass both times. Some mutations make no observable difference, such as to a value
/// that is filtered out: judge for yourself, or use
/// ``expectMutationsNoticed(unnoticed:dialect:frame:timeLimit:workLimit:fileID:filePath:line:column:_:)``.
///
/// - Parameters:
///   - dialect: The notation of all diagrams.
///   - frame: The length of a `-`; whole nanoseconds.
///   - timeLimit: The virtual time after which a run with remaining work fails.
///   - workLimit: The maximum number of work items in one stretch of a run.
///   - declare: Creates sources and expectations, for each run.
/// - Returns: The mutations, and the unnoticed ones. Empty if the test does not pass.
/// - Complexity: Four runs for each event of a source.
public func mutateSources(
  dialect: MarbleDialect = .signals, frame: Duration = MarbleDiagram.defaultFrame,
  timeLimit: Duration = .seconds(86_400), workLimit: Int = 100_000,
  fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column,
  _ declare: (MarbleTest) throws -> Void
) -> MutationReport {
  let settings = MarbleSettings(
    dialect: dialect, frame: frame, timeLimit: timeLimit, workLimit: workLimit, fileID: fileID, filePath: filePath,
    line: line, column: column)
  return settings.mutationReport(declare).report
}

/// Mutates one event of one source of a marble test at a time, and fails if no expectation notices; see
/// ``mutateSources(dialect:frame:timeLimit:workLimit:fileID:filePath:line:column:_:)``.
///
/// ```swift
/// @Test func theTestOfTotalsIsGood() {
///   expectMutationsNoticed { m in
///     let prices = m.hot("-1-2-|", of: Int.self)
///     m.expect(prices.signal.scan(0, +), "-1-3-|")
///   }
/// }
/// ```
///
/// - Parameters:
///   - unnoticed: The expected number of unnoticed mutations. More fail, and so do fewer: then lower the number.
///   - dialect: The notation of all diagrams.
///   - frame: The length of a `-`; whole nanoseconds.
///   - timeLimit: The virtual time after which a run with remaining work fails.
///   - workLimit: The maximum number of work items in one stretch of a run.
///   - declare: Creates sources and expectations, for each run.
/// - Returns: The mutations, and the unnoticed ones.
@discardableResult
public func expectMutationsNoticed(
  unnoticed: Int = 0,
  dialect: MarbleDialect = .signals, frame: Duration = MarbleDiagram.defaultFrame,
  timeLimit: Duration = .seconds(86_400), workLimit: Int = 100_000,
  fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column,
  _ declare: (MarbleTest) throws -> Void
) -> MutationReport {
  let settings = MarbleSettings(
    dialect: dialect, frame: frame, timeLimit: timeLimit, workLimit: workLimit, fileID: fileID, filePath: filePath,
    line: line, column: column)
  let (result, isPassing) = settings.mutationReport(declare)
  if !isPassing { return result }
  if result.mutations.isEmpty {
    report("There is nothing to mutate: the sources of the test send nothing.", at: settings.place)
  } else if result.unnoticed.count > unnoticed {
    let advice =
      "To do: add an expectation that depends on these events, remove them, or pass unnoticed: \(result.unnoticed.count) if they make no "
      + "difference."
    report("\(result)\n\n\(advice)".framed, at: settings.place, else: settings.place)
  } else if result.unnoticed.count < unnoticed {
    report(
      "Only \(result.unnoticed.count) mutations are unnoticed. Pass unnoticed: \(result.unnoticed.count).",
      at: settings.place, else: settings.place)
  }
  return result
}

extension MarbleSettings {
  /// Runs the test unchanged, and then with each mutation.
  ///
  /// - Returns: The report, and whether the unchanged test passed.
  fileprivate func mutationReport(
    _ declare: (MarbleTest) throws -> Void
  ) -> (report: MutationReport, isPassing: Bool) {
    func failures(_ watch: MutationWatch) -> [FailureCapture.Failure] {
      let capture = FailureCapture()
      capture.hold {
        do { try run(watch: watch, declare) } catch {
          capture.note(error, of: "The test")
        }
      }
      return capture.take()
    }
    let plain = MutationWatch(nil, frame: frame)
    let plainFailures = failures(plain)
    guard plainFailures.isEmpty else {
      for failure in plainFailures where !failure.isTold {
        report(failure.message, at: failure.source ?? place, else: place)
      }
      return (MutationReport(mutations: [], unnoticed: []), false)
    }
    let unnoticed = plain.mutations.filter { failures(MutationWatch($0, frame: frame)).isEmpty }
    let again = failures(MutationWatch(nil, frame: frame))
    guard again.isEmpty else {
      reportPassedOnce(again)
      return (MutationReport(mutations: [], unnoticed: []), false)
    }
    return (MutationReport(mutations: plain.mutations, unnoticed: unnoticed), true)
  }

  /// Reports that the unchanged test fails in a later run.
  func reportPassedOnce(_ failures: [FailureCapture.Failure]) {
    let parts = [
      "The unchanged test passed in its first run, but not in a later one, so its other runs show nothing. State outside of its "
        + "closure changes: a global variable, a static property or a captured object.",
      failures.first { !$0.isTold }.map { String($0.message.drop(while: \.isNewline)) } ?? "",
      "To do: create everything in the closure.",
    ]
    report(parts.filter { !$0.isEmpty }.joined(separator: "\n\n").framed, at: place, else: place)
  }
}
