import Synchronization
import Testing

/// Parameterized tests that are about to run, until their first case does. Swift Testing skips those without arguments.
enum ExpectedCases {
  private struct State {
    var tests: [Test.ID: (name: String, source: MarbleSource)] = [:]
    var isWatched = false
  }

  private static let state = Mutex(State())

  /// Expects a case of a test, unless it is disabled.
  static func expect(_ test: Test) async {
    guard test.isParameterized, !test.isSuite else { return }
    for case let condition as ConditionTrait in test.traits {
      // One that throws is reported by the framework.
      guard let isEnabled = try? await condition.evaluate(), isEnabled else { return }
    }
    let location = test.sourceLocation
    let source = MarbleSource(
      fileID: location.fileID, filePath: location.filePath, line: location.line, column: location.column)
    expect(test, at: source)
  }

  /// Never inlined into the asynchronous function: `TaskCheck` gives the reason.
  @inline(never)
  private static func expect(_ test: Test, at source: MarbleSource) {
    let isFirst = state.withLock { state in
      state.tests[test.id] = (test.name, source)
      defer { state.isWatched = true }
      return !state.isWatched
    }
    guard isFirst else { return }
    ProcessEnd.add { state.withLock { $0.tests.values.map { (message($0.name), $0.source) } } }
  }

  /// Notes that a case of a test runs.
  static func note(_ test: Test) {
    guard test.isParameterized else { return }
    _ = state.withLock { $0.tests.removeValue(forKey: test.id) }
  }

  /// Fails a suite with a test of which no case has run.
  static func conclude(_ suite: Test) {
    guard suite.isSuite else { return }
    let module = suite.id.moduleName
    let names = suite.id.nameComponents
    let empty = state.withLock { state in
      let inside = state.tests.filter { $0.key.moduleName == module && $0.key.nameComponents.starts(with: names) }
      for key in inside.keys { state.tests.removeValue(forKey: key) }
      return inside.values.sorted { ($0.source.filePath, $0.source.line) < ($1.source.filePath, $1.source.line) }
    }
    for test in empty { report(message(test.name), at: test.source) }
  }

  private static func message(_ name: String) -> String {
    "The test \(name) has no argument, so it checked nothing. Find out why the list of its arguments is empty, or remove the test."
  }
}
