import SignalTesting
import Signals
import Synchronization
import Testing

/// Failures that nobody takes let tests fail, at the line where the subscription is made.
@Suite struct UnhandledFailureReportTests {
  private struct WrongNumber: Error {}

  /// Whether an issue is the report of a failure at a line of this file.
  private static func isReport(at line: Int, times: String = "") -> @Sendable (Issue) -> Bool {
    { issue in
      issue.comments.contains {
        $0.rawValue.hasPrefix("unhandled failure of this subscription\(times): WrongNumber()\n")
      } && issue.sourceLocation?.line == line && issue.sourceLocation?.fileID == #fileID
    }
  }

  private func underNoLeaks(_ body: @escaping @Sendable () async throws -> Void) async throws {
    try await NoLeaksTrait.noLeaks.provideScope(for: #require(Test.current), testCase: nil, performing: body)
  }

  @Test(.enabled(if: noticesRealTime)) func aSubscriptionOfADetachedTaskBelongsToTheVirtualTimeItIsIn() throws {
    let line = #line + 5
    try withKnownIssue {
      try withVirtualTime { _ in
        let bag = DisposeBag()
        await Task.detached {
          Signal<Int>.fail(WrongNumber()).subscribe { _ in }.store(in: bag)
        }.value
      }
    } matching: {
      Self.isReport(at: line)($0)
    }
  }

  @Test(.enabled(if: noticesRealTime)) func soDoesOneOfAMarbleTest() {
    let line = #line + 6
    withKnownIssue {
      marbles { m in
        let source = m.hot("-a#", error: WrongNumber())
        m.expect(source.signal, "-a#", error: WrongNumber())
        let bag = DisposeBag()
        m.task { await Task.detached { source.signal.subscribe { _ in }.store(in: bag) }.value }
        m.at(.milliseconds(5)) { withExtendedLifetime(bag) {} }
      }
    } matching: {
      Self.isReport(at: line)($0)
    }
  }

  @Test func aFailureInVirtualTimeOfAnEarlierSubscriptionCounts() {
    let line = #line + 2
    let numbers = Emitter<Int>()
    let subscription = numbers.signal.subscribe { _ in }
    withKnownIssue {
      withVirtualTime { (_: VirtualTimeScheduler) -> Void in numbers.fail(WrongNumber()) }
    } matching: {
      Self.isReport(at: line)($0)
    }
    subscription.dispose()
  }

  @Test func theTraitFails() async throws {
    let line = #line + 4
    try await withKnownIssue {
      try await underNoLeaks {
        let numbers = Emitter<Int>()
        let subscription = numbers.signal.map { _ in throw WrongNumber() }.subscribe { _ in }
        numbers.send(1)
        subscription.dispose()
      }
    } matching: {
      Self.isReport(at: line)($0)
    }
  }

  @Test func aFailureOnAnotherThreadBelongsToTheTestThatSubscribed() async throws {
    let line = #line + 4
    try await withKnownIssue {
      try await underNoLeaks {
        let numbers = Emitter<Int>()
        let subscription = numbers.signal.subscribe { _ in }
        await Task.detached { numbers.fail(WrongNumber()) }.value
        subscription.dispose()
      }
    } matching: {
      Self.isReport(at: line)($0)
    }
  }

  @Test func aSubscriptionOnAnotherThreadBelongsToTheTestOfItsSignal() async throws {
    let line = #line + 5
    try await withKnownIssue {
      try await underNoLeaks {
        let numbers = Emitter<Int>()
        await Task.detached {
          let subscription = numbers.signal.subscribe { _ in }
          numbers.fail(WrongNumber())
          subscription.dispose()
        }.value
      }
    } matching: {
      Self.isReport(at: line)($0)
    }
  }

  @Test func testsBesideEachOtherSeeOnlyTheirOwnFailures() async throws {
    await withTaskGroup { group in
      for name in 0..<20 {
        group.addTask {
          let seen = Seen()
          await UnhandledFailure.withHandler {
            seen.add("\($0.error)")
          } operation: {
            let numbers = Emitter<Int>()
            let subscription = numbers.signal.map { if $0 == 9 { throw Numbered(name: name) } }.subscribe { _ in }
            await Task.yield()
            numbers.send(9)
            subscription.dispose()
          }
          #expect(seen.all == ["Numbered(name: \(name))"])
        }
      }
    }
  }

  private struct Numbered: Error {
    let name: Int
  }

  private final class Seen: Sendable {
    private let stored = Mutex<[String]>([])

    var all: [String] { stored.withLock { $0 } }

    func add(_ text: String) { stored.withLock { $0.append(text) } }
  }

  @Test func equalFailuresAreCounted() async throws {
    let line = #line + 5
    try await withKnownIssue {
      try await underNoLeaks {
        for _ in 0..<3 {
          let numbers = Emitter<Int>()
          let subscription = numbers.signal.subscribe { _ in }
          numbers.fail(WrongNumber())
          subscription.dispose()
        }
      }
    } matching: {
      Self.isReport(at: line, times: " (3 times)")($0)
    }
  }

  @Test func theTraitFailsATestThatThrowsToo() async throws {
    try await withKnownIssue {
      try await underNoLeaks {
        _ = Signal<Int>.fail(WrongNumber()).subscribe { _ in }
        throw WrongNumber()
      }
    } matching: { issue in
      issue.error is WrongNumber || issue.comments.contains { $0.rawValue.contains("WrongNumber()\n") }
    }
  }

  @Test func handledAndAllowedFailuresPass() async throws {
    try await underNoLeaks {
      let numbers = Emitter<Int>()
      let handled = numbers.signal.subscribe(onFailure: { _ in })
      let allowed = UnhandledFailure.withHandler { _ in
      } operation: {
        numbers.signal.subscribe { _ in }
      }
      numbers.fail(WrongNumber())
      handled.dispose()
      allowed.dispose()
    }
  }

  @Test func marblesFail() {
    let line = #line + 4
    withKnownIssue {
      marbles { m in
        let numbers = m.hot("--#", error: WrongNumber())
        m.expect(numbers.signal.share().handle(onSubscribe: { numbers.signal.subscribe { _ in }.retained() }), "--#")
      }
    } matching: {
      Self.isReport(at: line)($0)
    }
  }

  @Test func marblesFailForWhatTheTestSubscribesToWhenItIsDeclared() {
    let line = #line + 4
    withKnownIssue {
      marbles { m in
        let numbers = m.hot("--#", error: WrongNumber())
        numbers.signal.subscribe { _ in }.retained()
        m.expect(numbers.signal, "--#")
      }
    } matching: {
      Self.isReport(at: line)($0)
    }
  }

  @Test func expectedFailuresOfMarblesPass() {
    marbles { m in
      let numbers = m.cold("--#", error: WrongNumber())
      m.expect(numbers.signal, "--#")
      m.expect(numbers.signal.map { $0 }.share(), "--#")
    }
  }
}
