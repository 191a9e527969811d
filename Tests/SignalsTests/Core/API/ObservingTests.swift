import Observation
import Probes
import SignalTesting
import Signals
import Testing

@Observable private final class Model {
  var text: String
  var count = 0
  var length: Int { text.count }

  init(_ text: String = "") { self.text = text }
}

/// An actor with an object of its own.
private actor Keeper {
  let model = Model("a")

  func change(_ change: @Sendable (Model) -> Void) { change(model) }
}

/// Observes `@Observable` objects.
@Suite("observing")
@MainActor
struct ObservingTests {
  private struct Broken: Error {}

  /// Waits until a condition holds, at most half a minute; the machine may be busy.
  private func eventually(
    _ comment: Comment, _ location: SourceLocation = #_sourceLocation, _ condition: () -> Bool
  ) async throws {
    let clock = ContinuousClock()
    let end = clock.now + .seconds(30)
    while !condition() {
      try #require(clock.now < end, comment, sourceLocation: location)
      await Task.yield()
    }
  }

  @Test("the current value inside subscribe, then every change; those of one turn as one value")
  func keyPath() async throws {
    let model = Model("a")
    let log = EventLog<String>()
    let subscription = Signal.observing(model, \.text).log(to: log)
    #expect(log.values == ["a"])
    model.text = "b"
    #expect(log.values == ["a"])
    model.text = "c"
    try await eventually("the newest") { log.values == ["a", "c"] }
    model.count += 1
    model.text = "d"
    try await eventually("the next") { log.values == ["a", "c", "d"] }
    subscription.dispose()
  }

  @Test("a closure that reads several properties and objects, also computed ones")
  func closure() async throws {
    let (one, two) = (Model("a"), Model("bc"))
    let log = EventLog<Int>()
    let subscription = Signal.observingOnMain { one.length + (one.count > 0 ? two.count : 0) }.log(to: log)
    #expect(log.values == [1])
    one.text = "abc"
    try await eventually("a computed property") { log.values.last == 3 }
    one.count = 1
    try await eventually("another path") { log.values.count == 3 }
    two.count = 5
    try await eventually("what is read only now") { log.values.last == 8 }
    subscription.dispose()
  }

  @Test("a change that a handler makes is not lost")
  func reentrance() async throws {
    let model = Model()
    let log = EventLog<Int>()
    let subscription = Signal.observing(model, \.count).subscribeOnMain { count in
      log.append(.value(count))
      if count < 100 { model.count = count + 1 }
    }
    try await eventually("all") { log.values.count == 101 }
    #expect(log.values == Array(0...100))
    subscription.dispose()
  }

  @Test("the last value always comes, however changes and turns meet")
  func lastValue() async throws {
    let model = Model()
    let log = EventLog<Int>()
    let subscription = Signal.observing(model, \.count).log(to: log)
    for number in 1...500 {
      model.count = number
      if number.isMultiple(of: 7) { await Task.yield() }
    }
    try await eventually("the last") { log.values.last == 500 }
    #expect(log.values == log.values.sorted())
    subscription.dispose()
  }

  @Test("Law 7: nothing comes after disposal, and neither closure nor object is kept")
  func disposal() async throws {
    var model: Model? = Model("a")
    weak let gone = model
    let log = EventLog<String>()
    let subscription = Signal.observingOnMain { [model] in model?.text ?? "" }.log(to: log)
    let first = Signal.observing(model!, \.text)
    first.prefix(1).log(to: log).retained()
    model?.text = "b"
    subscription.dispose()
    let marker = EventLog<Int>()
    Signal.just(1).receive(on: .main).log(to: marker).retained()
    try await eventually("a later turn") { marker.values == [1] }
    #expect(log.values == ["a", "a"])
    #expect(gone != nil)
    model = nil
    #expect(gone == nil)
    let late = EventLog<String>()
    first.log(to: late).retained()
    #expect(late.events == [.finished])
  }

  @Test("an object that is deallocated with a change still waiting ends no subscription")
  func deallocatedAfterAChange() async throws {
    var model: Model? = Model("a")
    let log = EventLog<String>()
    let subscription = Signal.observing(model!, \.text).log(to: log)
    model?.text = "b"
    model = nil
    let marker = EventLog<Int>()
    Signal.just(1).receive(on: .main).log(to: marker).retained()
    try await eventually("a later turn") { marker.values == [1] }
    #expect(log.events == [.value("a")])
    subscription.dispose()
  }

  @Test("Law 11: what the closure throws fails it")
  func failure() async throws {
    let model = Model("a")
    let log = EventLog<String>()
    Signal.observingOnMain {
      if model.text == "b" { throw Broken() }
      return model.text
    }
    .log(to: log).retained()
    model.text = "b"
    try await eventually("the failure") { log.events == [.value("a"), .failed(Broken())] }
  }

  @Test("whoever subscribes elsewhere gets everything on the main queue")
  func elsewhere() async throws {
    let model = Model("a")
    let log = EventLog<String>()
    let texts = Signal.observing(model, \.text).handle { _ in MainActor.assertIsolated() }
    let subscription = await Task.detached { texts.log(to: log) }.value
    try await eventually("the first") { log.values == ["a"] }
    model.text = "b"
    try await eventually("the second") { log.values == ["a", "b"] }
    subscription.dispose()
  }

  @Test("an object of an actor, on the actor; the actor is not kept")
  func actors() async throws {
    var keeper: Keeper? = Keeper()
    weak let gone = keeper
    let log = EventLog<String>()
    let subscription = Signal.observing(onActor: keeper!) { keeper in
      keeper.assertIsolated()
      return keeper.model.text
    }
    .log(to: log)
    try await eventually("the first") { log.values == ["a"] }
    await keeper?.change {
      $0.text = "b"
      $0.text = "c"
    }
    try await eventually("the newest") { log.values == ["a", "c"] }
    keeper = nil
    try await eventually("the actor has gone") { gone == nil }
    subscription.dispose()
  }
}
