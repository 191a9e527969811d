import SignalTesting
import Signals
import Synchronization
import Testing

/// Checks whose test runs on the main actor, while they run elsewhere.
@Suite struct LeakThreadTests {
  @MainActor private final class Label {
    var text = ""
  }

  private static let titles = Emitter<String>()

  /// Only the main queue can find out that the label is gone.
  @MainActor @Test(.noLeaks) func anObjectOfTheMainActorThatIsGoneEndsItsSubscription() {
    let label = Label()
    Self.titles.signal.subscribe(onMainWith: label) { $0.text = $1 }
    Self.titles.send("a")
    #expect(label.text == "a")
  }

  @MainActor @Test(.healthy) func suchASubscriptionIsHealthy() {
    let label = Label()
    Self.titles.signal.subscribe(onMainWith: label) { $0.text = $1 }
  }

  @MainActor @Test func asynchronousChecksAskTheMainQueueToo() async {
    await Self.check {
      await MainActor.run {
        let label = Label()
        Self.titles.signal.subscribe(onMainWith: label) { $0.text = $1 }
      }
    }
  }

  nonisolated private static func check(_ body: @Sendable () async -> Void) async {
    await assertNoLeaks { await body() }
    await expectNoGrowth(repeating: 3) { await body() }
  }

  @MainActor private final class Screen {
    static let openCount = Atomic(0)
    private var text = ""

    init(_ texts: Signal<String>) {
      Self.openCount.add(1, ordering: .relaxed)
      texts.subscribe(onMainWith: self) { [self] _, text in self.text = text }
    }

    deinit { MainActor.assumeIsolated { _ = Self.openCount.subtract(1, ordering: .relaxed) } }
  }

  /// The check disposes what leaked, and so deallocates the screen: on the main actor.
  @MainActor @Test func aCycleThroughAnObjectOfTheMainActorIsFoundThere() async throws {
    let test = try #require(Test.current)
    for isHealth in [false, true] {
      let issues = Issues()
      try await withKnownIssue {
        let body: @Sendable () async throws -> Void = { await MainActor.run { _ = Screen(Self.titles.signal) } }
        if isHealth {
          try await HealthyTrait.healthy.provideScope(for: test, testCase: nil, performing: body)
        } else {
          try await NoLeaksTrait.noLeaks.provideScope(for: test, testCase: nil, performing: body)
        }
      } matching: { issue in
        issues.add(issue)
        return true
      }
      let messages = issues.all.map { $0.comments.first?.rawValue ?? "" }
      #expect(messages.count == 1 && messages.allSatisfy { $0.contains("a cycle: Screen") }, "\(messages)")
      #expect(Screen.openCount.load(ordering: .relaxed) == 0)
    }
  }
}
