import Signals
import Synchronization
import Testing

@testable import SignalTesting

@Suite struct CycleTests {
  private let keys = Emitter<Int>()

  private func message(_ body: () -> Void) -> String {
    let issues = issuesOf { assertNoLeaks { body() } }
    #expect(issues.count == 1)
    return issues.first?.comments.first?.rawValue ?? ""
  }

  @Test func aClosureThatHoldsTheObjectOfItsBagIsACycle() {
    let message = message {
      let model = Model()
      keys.signal.subscribe { _ in model.note() }.store(in: model.bag)
    }
    #expect(
      message.contains(
        "a cycle: the holder of the subscription -> subscription -> a closure of the chain -> the holder of the subscription"
      )
    )
    #expect(message.contains("found by disposing: the check disposed the subscription"))
    #expect(message.contains("[weak self]"))
  }

  @Test func aPropertyThatHoldsTheSubscriptionIsNoDifference() {
    let message = message {
      let model = Model()
      model.keep(keys.signal.subscribe { _ in model.note() })
    }
    #expect(message.contains("a cycle: "))
  }

  @Test func itsOwnerIsNamedWithTheWayToTheSubscription() {
    let message = message {
      let model = Model()
      keys.signal.subscribe(with: model, in: model.bag) { _, _ in model.note() }
    }
    #expect(
      message.contains(
        "a cycle: Model.bag -> DisposeBag -> subscription -> a closure of the chain -> Model"), "\(message)")
    #expect(message.contains("and then Model was deallocated"))
  }

  @Test func anOwnerThatOnlyTheSourceReachesIsNamedToo() {
    let message = message {
      let model = Model()
      keys.signal.subscribe(with: model) { _, _ in model.note() }
    }
    #expect(message.contains("a cycle: Model -> subscription -> a closure of the chain -> Model"), "\(message)")
  }

  @Test func aBagOfAnOwnerIsTriedToo() {
    let message = message {
      let owner = OwnerOfABag()
      owner.fill { bag in keys.signal.subscribe { _ in owner.note() }.store(in: bag) }
    }
    #expect(message.contains("a cycle: "))
  }

  @Test func twoClosuresThatHoldTheSameObjectAreToldApart() {
    let issues = issuesOf {
      assertNoLeaks {
        let model = Model()
        keys.signal.map { $0 }.subscribe { _ in model.note() }.store(in: model.bag)
        keys.signal.filter { _ in true }.subscribe { _ in model.note() }.store(in: model.bag)
      }
    }
    let texts = issues.map { $0.comments.first?.rawValue ?? "" }
    #expect(texts.count == 2)
    #expect(texts.allSatisfy { $0.contains("a cycle: ") })
    #expect(texts.first?.contains("the check disposed the subscription and subscribe CycleTests.swift:") == true)
    #expect(texts.last?.contains("the check disposed the subscription, and then") == true)
  }

  /// Only one of the chains of an object captures it, wherever in their order.
  @Test(arguments: 0..<3) func aChainThatCapturesNothingIsNotBlamed(position: Int) {
    let others = [Emitter<Int>(), Emitter<Int>()]
    let issues = issuesOf {
      assertNoLeaks {
        let model = Model()
        for index in 0..<3 {
          if index == position {
            keys.signal.subscribe { _ in model.note() }.store(in: model.bag)
          } else {
            others[index % 2].signal.subscribe(with: model, in: model.bag) { model, _ in model.note() }
          }
        }
      }
    }
    let texts = issues.map { $0.comments.first?.rawValue ?? "" }
    #expect(texts.count == 2, "\(texts)")
    let line = #line - 9
    for text in texts {
      let isGuilty = text.contains("subscribe CycleTests.swift:\(line) <-")
      #expect(text.contains("a cycle: ") == isGuilty, "\(text)")
      #expect(text.contains("[weak self]") == isGuilty, "\(text)")
      #expect(text.contains("is retained by a closure of subscribe CycleTests.swift:\(line)") == !isGuilty, "\(text)")
    }
  }

  /// The source of the chain that captures the object is the object's own.
  @Test func aChainBesideOneOnAnOwnSourceIsNotBlamed() {
    let issues = issuesOf {
      assertNoLeaks {
        let model = ModelWithSource()
        model.query.changes.subscribe { _ in model.note() }.store(in: model.bag)
        keys.signal.subscribe(with: model, in: model.bag) { model, _ in model.note() }
      }
    }
    let texts = issues.map { $0.comments.first?.rawValue ?? "" }
    #expect(texts.count == 2)
    let (guilty, innocent) = ("CycleTests.swift:\(#line - 6) <-", "CycleTests.swift:\(#line - 5) <-")
    #expect(texts.contains { $0.contains(guilty) && $0.contains("a cycle: ") }, "\(texts)")
    #expect(!texts.contains { $0.contains(innocent) && $0.contains("a cycle: ") }, "\(texts)")
  }

  @Test func aBagThatEndsWithItsModelIsNoDifference() {
    let issues = issuesOf { assertNoLeaks { _ = ModelWithOwnBag(keys.signal) } }
    let texts = issues.map { $0.comments.first?.rawValue ?? "" }
    #expect(texts.map { $0.contains("a cycle: ") } == [true, false], "\(texts)")
  }

  /// Both closures retain the object through another one: the first may not be acquitted.
  @Test func oneThatRetainsItsOwnerThroughAnotherObjectIsNotAcquitted() {
    let issues = issuesOf {
      assertNoLeaks {
        let model = Model()
        let part = Part(model)
        keys.signal.subscribe(with: model, in: model.bag) { _, _ in part.note() }
        keys.signal.subscribe(with: model, in: model.bag) { _, _ in part.note() }
      }
    }
    let texts = issues.map { $0.comments.first?.rawValue ?? "" }
    #expect(texts.count == 2)
    for text in texts {
      #expect(
        text.contains("[weak self]") || text.contains("its closures retain that object through another one"), "\(text)")
    }
  }

  /// The closure of another chain holds a token: there is no way back.
  @Test func aTokenInAClosureOfAnotherChainIsNoCycle() {
    let stops = Emitter<Void>()
    let messages = issuesOf {
      assertNoLeaks {
        let polling = keys.signal.subscribe { _ in }
        stops.signal.subscribe { polling.dispose() }.retained()
      }
    }.compactMap { $0.comments.first?.rawValue }
    #expect(messages.count == 2 && !messages.contains { $0.contains("a cycle: ") }, "\(messages)")
    #expect(messages.contains { $0.contains("is retained by a closure of") }, "\(messages)")
  }

  @Test func theHealthyTwinsAreNoLeak() {
    assertNoLeaks {
      let model = Model()
      keys.signal.subscribe { [weak model] _ in model?.note() }.store(in: model.bag)
      keys.signal.subscribe(with: model, in: model.bag) { model, _ in model.note() }
      keys.signal.subscribe(with: model) { model, _ in model.note() }
      let owner = OwnerOfABag()
      owner.fill { bag in keys.signal.subscribe { [weak owner] _ in owner?.note() }.store(in: bag) }
      keys.send(1)
    }
  }

  @Test func whatSomebodyElseHoldsIsNoCycle() {
    let keeper = LeakKeeper()
    let message = message { keys.signal.subscribe { _ in keeper.keep(1) }.store(in: keeper.bag) }
    #expect(!message.contains("cycle:"))
  }

  @Test func whatIsRetainedIsNoCycle() {
    let message = message { keys.signal.subscribe { _ in }.retained() }
    #expect(!message.contains("cycle:"))
  }

  @Test func anOwnerThatLivesIsNoCycle() {
    let model = Model()
    let message = message { keys.signal.subscribe(with: model) { _, _ in } }
    #expect(!message.contains("cycle:"))
    withExtendedLifetime(model) {}
  }

  @Test func whatTheResultHoldsIsShown() {
    let issues = issuesOf {
      _ = assertNoLeaks {
        let model = Model()
        keys.signal.subscribe { _ in }.store(in: model.bag)
        return [model]
      }
    }
    let text = issues.first?.comments.first?.rawValue ?? ""
    #expect(text.contains("held by the result of the closure[0] -> Model.bag -> DisposeBag -> subscription"), "\(text)")
  }

  @Test func aCycleThroughPropertiesIsShownAsAPath() {
    let message = message {
      let parent = Parent()
      parent.adopt(Child(parent))
      keys.signal.subscribe(with: parent) { _, _ in }
    }
    #expect(message.contains("a cycle through properties: Parent.child -> Child.parent -> Parent"), "\(message)")
    #expect(!message.contains("reflection"))
  }

  @Test func aPathThatIsNotCertainSaysWhatReflectionDoesNotSee() {
    let message = message {
      let mirrored = Mirrored()
      mirrored.own = mirrored
      keys.signal.subscribe(with: mirrored) { _, _ in }
    }
    #expect(message.contains("possibly a cycle: Mirrored.shown -> Mirrored"), "\(message)")
    #expect(message.contains("reflection cannot see closure captures, nor whether each of these properties is weak"))
  }

  @Test func aCycleThroughAStoredClosureNamesIt() {
    let message = message {
      let acting = Acting()
      acting.onChange = { acting.onChange = nil }
      keys.signal.subscribe(with: acting) { _, _ in }
    }
    #expect(message.contains("reflection cannot see the captures of closures, such as Acting.onChange"), "\(message)")
  }

  @Test func aWeakWayBackIsNoCycle() {
    let keeper = LeakKeeper()
    let message = message {
      let child = WeakChild()
      child.parent = child
      keeper.keep(child)
      keys.signal.subscribe(with: child) { _, _ in }
    }
    #expect(!message.contains("cycle:"), "\(message)")
  }

  @Test func theOwnerOfANamedSubscriptionIsFoundToo() {
    let message = message {
      let model = Model()
      keys.signal.named("keys").subscribe(with: model, in: model.bag) { _, _ in model.note() }
    }
    #expect(message.contains("a cycle: Model.bag -> DisposeBag -> subscription"), "\(message)")
  }

  @Test func theAdviceFitsTheFormOfSubscribing() {
    let unbound = message {
      let model = Model()
      keys.signal.subscribe { _ in model.note() }.store(in: model.bag)
    }
    #expect(unbound.contains("or use subscribe(with:), or subscribe(onMainWith:) for an object of the main actor"))
    let bound = message {
      let model = Model()
      keys.signal.subscribe(with: model, in: model.bag) { _, _ in model.note() }
    }
    #expect(bound.contains("To do: use the object that subscribe(with:) passes to its closure"), "\(bound)")
  }

  @MainActor @Test func anObjectOfTheMainActorIsToldOfItsForm() {
    let bound = message {
      let view = View()
      keys.signal.subscribe(onMainWith: view, in: view.bag) { _, _ in view.note() }
    }
    #expect(bound.contains("To do: use the object that subscribe(onMainWith:) passes to its closure"), "\(bound)")
  }

  @Test func weakPropertiesAreNoCycle() {
    let message = message {
      let hub = Hub()
      hub.child = Spoke(hub)
      keys.signal.subscribe(with: hub) { _, _ in }
      hub.kept = hub
    }
    #expect(message.contains("a cycle through properties: Hub.kept -> Hub"), "\(message)")
  }

  /// To read such a property would end the process.
  @Test func whatIsGoneIsNotRead() {
    let issues = issuesOf {
      _ = assertNoLeaks {
        let orphan = Orphan(of: Hub())
        keys.signal.subscribe { _ in }.store(in: orphan.bag)
        return orphan
      }
    }
    let text = issues.first?.comments.first?.rawValue ?? ""
    #expect(text.contains("held by the result of the closure.bag -> DisposeBag -> subscription"), "\(text)")
  }

  @Test func largePropertiesAreLookedAtInTime() {
    let clock = ContinuousClock()
    var text = ""
    let time = clock.measure {
      let issues = issuesOf {
        _ = assertNoLeaks {
          let wide = Wide()
          keys.signal.subscribe { _ in }.store(in: wide.bag)
          return wide
        }
      }
      text = issues.first?.comments.first?.rawValue ?? ""
    }
    #expect(text.contains("subscription never disposed"), "\(text)")
    // It takes minutes where all is followed.
    #expect(time < .seconds(60))
  }

  @Test func theTrialDisposesWhatLeaked() {
    _ = message { keys.signal.subscribe { _ in }.retained() }
    #expect(keys.subscriberCount == 0)
  }
}

/// An object with a bag.
private final class Model: Sendable {
  let bag = DisposeBag()
  private let subscription = Mutex<Subscription?>(nil)

  func note() {}

  func keep(_ subscription: Subscription) { self.subscription.withLock { $0 = subscription } }
}

private final class Part: Sendable {
  private let model: Model

  init(_ model: Model) { self.model = model }

  func note() { model.note() }
}

private final class ModelWithSource: Sendable {
  let bag = DisposeBag()
  let query = Property("")

  func note() {}
}

/// Its first closure captures it.
private final class ModelWithOwnBag: DisposeBagOwner {
  let disposeBag = DisposeBag()
  let query = Property("")
  let shown = Property("")

  init(_ settings: Signal<Int>) {
    query.changes.subscribe { self.shown.value = $0 }.store(in: disposeBag)
    settings.subscribe(with: self) { model, number in model.shown.value = "\(number)" }
  }
}

/// An object that keeps a bag which ends with it.
private final class OwnerOfABag: Sendable {
  private let bag = Mutex<DisposeBag?>(nil)

  func fill(_ body: (DisposeBag) -> Void) {
    let own = DisposeBag(owner: self)
    bag.withLock { $0 = own }
    body(own)
  }

  func note() {}
}

/// An object of the main actor with a bag.
@MainActor private final class View {
  let bag = DisposeBag()

  func note() {}
}

// Safe: used by one test, on one thread.
private final class Mirrored: CustomReflectable, @unchecked Sendable {
  var own: Mirrored?

  var customMirror: Mirror { Mirror(self, children: ["shown": own as Any], displayStyle: .class) }
}

// Safe: used by one test, on one thread.
private final class Acting: @unchecked Sendable {
  var onChange: (() -> Void)?
}

// Safe: used by one test, on one thread.
private final class WeakChild: @unchecked Sendable {
  weak var parent: WeakChild?
}

// Safe: used by one test, on one thread.
private final class Parent: @unchecked Sendable {
  private var child: Child?

  func adopt(_ child: Child) { self.child = child }
}

private final class Child: Sendable {
  private let parent: Parent

  init(_ parent: Parent) { self.parent = parent }
}

// Safe: one test uses it.
private final class Hub: @unchecked Sendable {
  var child: Spoke?
  var kept: Hub?
}

private final class Spoke: Sendable {
  unowned let hub: Hub

  init(_ hub: Hub) { self.hub = hub }
}

/// An object whose parent is gone.
// Safe: one test uses it.
private final class Orphan: @unchecked Sendable {
  private unowned let parent: Hub
  private weak var other: Hub?
  let bag = DisposeBag()

  init(of parent: Hub) {
    self.parent = parent
    other = parent
  }
}

/// A value that says that it has two of its kind inside, without end.
private struct Branches: CustomReflectable {
  var customMirror: Mirror { Mirror(self, children: ["left": Branches(), "right": Branches()]) }
}

private final class Wide: Sendable {
  let numbers = [Int](repeating: 0, count: 1_000_000)
  let branches = Branches()
  let bag = DisposeBag()
}
