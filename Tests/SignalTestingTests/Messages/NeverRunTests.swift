import Foundation
import SignalTesting
import Signals
import Synchronization
import Testing

/// What never runs and would pass unseen.
@Suite struct NeverRunTests {
  #if os(macOS) || os(Linux) || os(Windows)
    @Test func aTestThatIsKeptFailsTheProcess() async throws {
      let result = try await #require(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        let m = MarbleTest()
        m.expect(m.hot("-a|").signal, "-a|")
        _ = Unmanaged.passRetained(m)
        exit(EXIT_SUCCESS)
      }
      let text = String(decoding: result.standardErrorContent, as: UTF8.self)
      #expect(text.contains("NeverRunTests.swift:"))
      #expect(
        text.contains("error: The marble test never ran, and is still retained at the end of the process."))
    }

    @Test func aTestThatRanMayBeKept() async throws {
      await #expect(processExitsWith: .success) {
        let m = MarbleTest()
        m.expect(m.hot("-a|").signal, "-a|")
        m.run()
        _ = Unmanaged.passRetained(m)
        marbles { m in
          _ = Unmanaged.passRetained(m)
          m.expect(m.hot("-a|").signal, "-a|")
        }
        exit(EXIT_SUCCESS)
      }
    }
  #endif

  /// A test that its own checks held would never be freed, and one that never ran would be told only at the end of the process.
  @Test func aTestIsFreed() {
    weak var kept: MarbleTest?
    do {
      let m = MarbleTest()
      kept = m
      let source = m.hot("-a-b|")
      m.expect(source.signal, "-a-b|")
      m.expect(source.signal, "-x-y|", values: ["x": "a", "y": "b"])
      m.expectNested(m.hot("-a|", values: ["a": Signal.just(1)]).signal, "-x|", signals: ["x": "{1|}"])
      m.expectSubscriptions(of: source, "^---!", "^---!")
      m.expectNoEvents(of: Signal<Int>.never())
      m.task {}
      m.run()
    }
    #expect(kept == nil)
  }

  @Test func aFolderWithoutFixtures() throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let none = try #require(throws: FixtureArgumentError.self) { try FixtureParser.parse(folder: folder.path) }
    #expect(none.description == "The directory \(folder.path) contains no .marbles file.")
    let file = folder.appending(path: "empty.marbles")
    try "dialect: signals\n".write(to: file, atomically: true, encoding: .utf8)
    let empty = try #require(throws: FixtureSyntaxError.self) { try FixtureParser.parse(folder: folder.path) }
    #expect(empty.message == "the file holds no case")
    try "fixture: a\noperator: map\nexpected: -\n".write(to: file, atomically: true, encoding: .utf8)
    #expect(try FixtureParser.parse(folder: folder.path).map(\.name) == ["a"])
  }

  @Test func whatATestSaysOfWorkThatIsLeft() async {
    let issues = Issues()
    withKnownIssue {
      marbles(timeLimit: .seconds(1)) { m in
        m.expect(Signal.interval(every: .milliseconds(1), on: m.scheduler).filter { _ in false }, "-")
      }
    } matching: { issue in
      issues.add(issue)
      return true
    }
    // Inside a leak check the work is told too, and only that of this test.
    await withKnownIssue {
      await assertNoLeaks {
        let scheduler = VirtualTimeScheduler()
        let other = scheduler.schedule(after: .seconds(1)) {}
        marbles(timeLimit: .seconds(1)) { m in
          m.expect(Signal.interval(every: .milliseconds(1), on: m.scheduler).filter { _ in false }, "-")
        }
        other.dispose()
      }
    } matching: { issue in
      issues.add(issue)
      return true
    }
    #expect(issues.all.count == 2)
    for issue in issues.all {
      let message = issue.comments.first?.rawValue ?? ""
      #expect(message.contains("1 work item is left:\n  interval NeverRunTests.swift:"))
    }
  }

  @Test func aTaskThatWaitsForTheClockIsNotSaidToWaitForSomethingElse() {
    let issues = Issues()
    withKnownIssue {
      marbles(timeLimit: .seconds(1)) { m in
        m.expect(Signal<Int>.never(), "-")
        m.task { [clock = m.scheduler] in try await clock.sleep(for: .seconds(7)) }
      }
    } matching: { issue in
      issues.add(issue)
      return true
    }
    #expect(issues.all.count == 1)
    #expect(issues.all.first?.comments.first?.rawValue.hasPrefix("The test stopped at its time limit of 1 s.") == true)
  }
}
