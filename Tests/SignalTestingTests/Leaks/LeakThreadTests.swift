import SignalTesting
import Signals
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

  @MainActor private final class Child {
    private var text = ""

    init(_ texts: Signal<String>) { texts.subscribe(onMainWith: self) { $0.text = $1 } }

    func add(to text: String) -> String { text + self.text }
  }

  /// The end of the label's subscription releases the child, whose subscription comes first.
  @MainActor @Test(.noLeaks) func anOwnerThatAnotherFreesEndsItsSubscriptionToo() {
    let child = Child(Self.titles.signal)
    let label = Label()
    Self.titles.signal.subscribe(onMainWith: label) { [child] label, text in label.text = child.add(to: text) }
  }

  @MainActor private final class Screen {
    private var text = ""

    init(_ texts: Signal<String>) { texts.subscribe(onMainWith: self) { [self] _, text in self.text = text } }

    // Elsewhere this ends the process.
    deinit { MainActor.assumeIsolated {} }
  }

  /// The check disposes what leaked, and so deallocates the screen: on the main actor.
  @Test(arguments: 0..<4) func aCycleThroughAnObjectOfTheMainActorIsFoundThere(form: Int) async throws {
    let test = try #require(Test.current)
    let issues = Issues()
    try await withKnownIssue {
      let body: @Sendable () async throws -> Void = { await MainActor.run { _ = Screen(Self.titles.signal) } }
      switch form {
      case 0: try await NoLeaksTrait.noLeaks.provideScope(for: test, testCase: nil, performing: body)
      case 1: try await HealthyTrait.healthy.provideScope(for: test, testCase: nil, performing: body)
      case 2: try await assertNoLeaks(body)
      default: try await assertHealthy(body)
      }
    } matching: { issue in
      issues.add(issue)
      return true
    }
    let messages = issues.all.map { $0.comments.first?.rawValue ?? "" }
    #expect(messages.count == 1 && messages.allSatisfy { $0.contains("a cycle: Screen") }, "\(messages)")
  }
}
