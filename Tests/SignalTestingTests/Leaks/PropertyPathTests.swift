import Observation
import Signals
import Synchronization
import Testing

@testable import SignalTesting

/// What is seen of ways through stored properties.
@Suite struct PropertyPathTests {
  private let keys = Emitter<Int>()

  private func path(_ holder: Any, _ subscription: Subscription) -> String? {
    PropertyPath.path(from: PropertyPath.Holder(name: "Holder", value: holder), to: subscription).path
  }

  private func subscription() -> Subscription { keys.signal.subscribe { _ in } }

  @Test func structuresInsideClassesAndOptionals() {
    let own = subscription()
    #expect(path(Screen(Panel(row: Row(subscription: own))), own) == "Holder.panel.row.subscription -> subscription")
  }

  @Test func collectionsAndTuples() {
    let own = subscription()
    #expect(path(Boxed([[], [Row(subscription: own)]]), own) == "Holder.value[1][0].subscription -> subscription")
    #expect(path(Boxed(["a": 1, "b": own] as [String: Any]), own) == "Holder.value[\"b\"] -> subscription")
    #expect(path(Boxed([7: [own]]), own) == "Holder.value[7][0] -> subscription")
    #expect(path(Boxed([Key(): own]), own) == "Holder.value[a key] -> subscription")
    #expect(path(Boxed((1, last: own)), own) == "Holder.value.last -> subscription")
    #expect(path(Boxed(Set([Element(own)])), own) == "Holder.value (an element).subscription -> subscription")
  }

  @Test func enumerationsWithPayload() {
    let own = subscription()
    #expect(path(Boxed(State.watching(own, since: 3)), own) == "Holder.value.watching.0 -> subscription")
    #expect(path(Boxed(State.idle), own) == nil)
  }

  @Test func inheritedProperties() {
    let own = subscription()
    let screen = DetailScreen(Panel(row: Row(subscription: own)))
    #expect(path(screen, own) == "Holder.panel.row.subscription -> subscription")
  }

  @Test func wrappersLazyPropertiesAndObservableObjects() {
    let own = subscription()
    #expect(path(Wrapping(own), own) == "Holder.wrapped.wrappedValue -> subscription")
    let late = Late(own)
    _ = late.row
    #expect(path(late, own) == "Holder.row.subscription -> subscription")
    #expect(path(Watched(own), own) == "Holder.row.subscription -> subscription")
  }

  @Test func actors() {
    let own = subscription()
    #expect(path(Keeper(own), own) == "Holder.row.subscription -> subscription")
  }

  @Test func existentialsAndGenericClasses() {
    let own = subscription()
    #expect(
      path(Boxed(Boxed(own) as any AnyObject), own) == "Holder.value -> Boxed<Subscription>.value -> subscription")
  }

  @Test func aClosureIsNamedAsWhatIsNotSeen() {
    let own = subscription()
    let holder = Acting { _ = own }
    let finding = PropertyPath.path(from: PropertyPath.Holder(name: "Acting", value: holder), to: own)
    #expect(finding.path == nil)
    #expect(finding.closures == ["Acting.onChange"])
  }

  @Test func weakAndUnownedPropertiesAreNoWay() {
    let parent = Parent()
    parent.children = [WeakChild(parent), UnownedChild(parent)]
    #expect(PropertyPath.cycle(through: parent).path == nil)
    let inheriting = Parent()
    inheriting.children = [InheritingChild(inheriting)]
    #expect(PropertyPath.cycle(through: inheriting).path == nil)
    let structured = Parent()
    structured.children = [Boxed(WeakReference(parent: structured))]
    #expect(PropertyPath.cycle(through: structured).path == nil)
  }

  @Test func anUnownedPropertyWhoseObjectIsGoneIsNotRead() {
    var parent: Parent? = Parent()
    let child = UnownedChild(parent!)
    parent = nil
    #expect(PropertyPath.cycle(through: child).path == nil)
  }

  @Test func strongPropertiesAreACertainCycle() {
    let parent = Parent()
    parent.children = [StrongChild(parent)]
    let finding = PropertyPath.cycle(through: parent)
    #expect(finding.path == "Parent.children[0] -> StrongChild.parent -> Parent")
    #expect(finding.isCertain)
    parent.children = []
  }

  @Test func aCycleThroughAnInheritedProperty() {
    let parent = Parent()
    parent.children = [InheritingStrongChild(parent)]
    #expect(
      PropertyPath.cycle(through: parent).path == "Parent.children[0] -> InheritingStrongChild.parent -> Parent")
    parent.children = []
  }

  @Test func whatAMirrorOfItsOwnShowsIsNotCertain() {
    let parent = Parent()
    parent.children = [Mirrored(parent)]
    let finding = PropertyPath.cycle(through: parent)
    #expect(finding.path == "Parent.children[0] -> Mirrored.shown -> Parent")
    #expect(!finding.isCertain)
    parent.children = []
  }

  @Test func anOptionalInsideAnOptionalAndAnEndlessList() {
    let own = subscription()
    let nested: Subscription?? = .some(.some(own))
    #expect(path(Boxed(nested as Any), own) == "Holder.value -> subscription")
    let list = Link()
    list.next = list
    #expect(path(list, own) == nil)
    list.next = nil
  }
}

private struct Row { var subscription: Subscription? }
private struct Panel { var row: Row? }

private class Screen {
  var panel: Panel
  init(_ panel: Panel) { self.panel = panel }
}

private final class DetailScreen: Screen { var title = "detail" }

private final class Boxed<Value> {
  let value: Value
  init(_ value: Value) { self.value = value }
}

private struct Key: Hashable {}

private struct Element: Hashable {
  let subscription: Subscription

  init(_ subscription: Subscription) { self.subscription = subscription }

  static func == (left: Self, right: Self) -> Bool { left.subscription === right.subscription }
  func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(subscription)) }
}

private enum State {
  case idle
  case watching(Subscription, since: Int)
}

@propertyWrapper private struct Wrapper<Value> { var wrappedValue: Value }

private final class Wrapping {
  @Wrapper var wrapped: Subscription
  init(_ subscription: Subscription) { _wrapped = Wrapper(wrappedValue: subscription) }
}

private final class Late {
  private let subscription: () -> Subscription
  lazy var row = Row(subscription: subscription())
  init(_ subscription: Subscription) { self.subscription = { subscription } }
}

@Observable private final class Watched {
  var row: Row
  init(_ subscription: Subscription) { row = Row(subscription: subscription) }
}

private actor Keeper {
  let row: Row
  init(_ subscription: Subscription) { row = Row(subscription: subscription) }
}

private final class Acting {
  let onChange: () -> Void
  init(_ onChange: @escaping () -> Void) { self.onChange = onChange }
}

private final class Parent { var children: [AnyObject] = [] }

private final class StrongChild {
  let parent: Parent
  init(_ parent: Parent) { self.parent = parent }
}

private class WeakChild {
  let number = 1
  weak var parent: Parent?
  init(_ parent: Parent) { self.parent = parent }
}

private class StrongBase {
  let number = 1
  let parent: Parent
  init(_ parent: Parent) { self.parent = parent }
}

private final class InheritingStrongChild: StrongBase { let name = "child" }

private final class InheritingChild: WeakChild { weak var other: Parent? }

private final class UnownedChild {
  unowned let parent: Parent
  init(_ parent: Parent) { self.parent = parent }
}

private struct WeakReference { weak var parent: Parent? }

private final class Mirrored: CustomReflectable {
  private let parent: Parent
  init(_ parent: Parent) { self.parent = parent }
  var customMirror: Mirror { Mirror(self, children: ["shown": parent], displayStyle: .class) }
}

private final class Link { var next: Link? }
