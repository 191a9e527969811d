import Signals
import Testing

/// A failing `#expect` reads the properties of what it shows, and theirs.
@Suite struct ReflectionTests {
  /// The number of values that reflection reaches.
  private static func reached(from value: Any, _ seen: inout Set<ObjectIdentifier>, depth: Int = 0) -> Int {
    guard depth < 16 else { return 0 }
    let mirror = Mirror(reflecting: value)
    if mirror.displayStyle == .class, !seen.insert(ObjectIdentifier(value as AnyObject)).inserted { return 0 }
    var count = 0
    var level: Mirror? = mirror
    while let current = level {
      for child in current.children { count += 1 + reached(from: child.value, &seen, depth: depth + 1) }
      level = current.superclassMirror
    }
    return count
  }

  private static func shown(_ value: Any) -> [String] {
    Mirror(reflecting: value).children.map { "\($0.label ?? ""): \($0.value)" }
  }

  @Test func subscriptionsCanBeShown() {
    let left = Emitter<Int>()
    let right = Emitter<Int>()
    let own = Signal<Int> { producer in producer.own(left.signal.subscribe { producer.send($0) }) }
    let scheduler = VirtualTimeScheduler()
    let signals: [Signal<Int>] = [
      left.signal, left.signal.map { $0 + 1 }, own, Signal.merge(left.signal, right.signal),
      left.signal.combineLatest(right.signal).map { $0 + $1 }, left.signal.zip(right.signal).map { $0 + $1 },
      left.signal.flatMap { _ in right.signal }, left.signal.flatMapLatest { _ in own },
      left.signal.debounce(for: .seconds(1), on: scheduler), left.signal.share(replay: 2),
      left.signal.receive(on: scheduler),
      left.signal.scan(0, +).removeDuplicates(), left.signal.catch { _ in right.signal },
    ]
    for signal in signals {
      let subscription = signal.subscribe(onValue: { _ in }, onFailure: { _ in }, onFinish: {})
      left.send(1)
      right.send(2)
      #expect(Self.shown(subscription) == ["isDisposed: false"])
      var seen: Set<ObjectIdentifier> = []
      #expect(Self.reached(from: subscription, &seen) == 1)
      #expect(Self.reached(from: [signal], &seen) > 0)
      subscription.dispose()
      #expect(Self.shown(subscription) == ["isDisposed: true"])
    }
    var seen: Set<ObjectIdentifier> = []
    for object in [left, right, Property(1), DisposeBag(), scheduler, DisposableClosure {}] as [AnyObject] {
      _ = Self.reached(from: object, &seen)
    }
  }
}
