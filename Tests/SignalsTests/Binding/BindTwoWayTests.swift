import Probes
import Signals
import Testing

/// Two properties that take over each other's changes.
@Suite("Bindings: two ways")
struct BindTwoWayTests {
  @Test("the receiver takes over the argument's value first; then each the other's changes, once")
  func values() {
    let (field, model) = (Property(""), Property("Ada"))
    let (fields, models) = (EventLog<String>(), EventLog<String>())
    let subscriptions = [field.signal.log(to: fields), model.signal.log(to: models)]
    field.bindTwoWay(with: model)
    field.value = "Grace"
    model.value = "Edsger"
    field.update { $0 += " D." }
    model.value = "Edsger D."
    #expect(fields.values == ["", "Ada", "Grace", "Edsger", "Edsger D."])
    #expect(models.values == ["Ada", "Grace", "Edsger", "Edsger D.", "Edsger D."])
    withExtendedLifetime(subscriptions) {}
  }

  @Test("it ends when it is disposed, and when either goes; neither keeps the other")
  func lifetime() {
    let first = Property(1)
    weak var gone: Property<Int>?
    do {
      let second = Property(2)
      gone = second
      first.bindTwoWay(with: second)
      #expect(first.subscriberCount == 1 && second.subscriberCount == 1)
    }
    #expect(gone == nil)
    #expect(first.subscriberCount == 0)

    let third = Property(3)
    let binding = third.bindTwoWay(with: first)
    #expect(third.value == 2)
    binding.dispose()
    first.value = 7
    #expect(third.value == 2 && first.subscriberCount + third.subscriberCount == 0)
    #expect(third.bindTwoWay(with: third).isDisposed)
  }

  @Test("a property that removes duplicates, and a write inside an update")
  func updates() {
    let (first, second) = (Property(removingDuplicates: 0), Property(0))
    first.bindTwoWay(with: second)
    var runs = 0
    second.update { value in
      runs += 1
      if runs > 10 { return }
      // Comes back into the property that is being updated.
      first.value = 5
      value += 1
    }
    #expect(runs == 1)
    #expect(first.value == 1 && second.value == 1)
  }

  @Test("handlers that write either side meanwhile: the last write wins, and nothing loops")
  func inside() {
    let (first, second) = (Property(0), Property(0))
    let early = second.changes.subscribe { value in if value == 1 { first.value = 10 } }
    let before = first.changes.subscribe { value in if value == 2 { second.value = 20 } }
    first.bindTwoWay(with: second)
    let late = second.changes.subscribe { value in if value == 3 { second.value = 30 } }
    first.value = 1
    #expect(first.value == 10 && second.value == 10)
    first.value = 2
    #expect(first.value == 20 && second.value == 20)
    first.value = 3
    #expect(first.value == 30 && second.value == 30)
    withExtendedLifetime((early, before, late)) {}
  }

  @Test func theLaterOfTwoWritesMeanwhileWins() {
    let (first, second) = (Property(0), Property(1))
    // Inside the first hand-over, the sides change one after the other.
    let subscription = first.changes.subscribe { value in
      guard value == 1 else { return }
      second.value = 10
      first.value = 20
    }
    first.bindTwoWay(with: second)
    #expect(first.value == 20 && second.value == 20)
    withExtendedLifetime(subscription) {}
  }

  @Test("a ring of bindings, and a chain of many: each change goes round once")
  func ring() {
    let properties = (0..<200).map { _ in Property(0) }
    for (first, second) in zip(properties, properties.dropFirst()) { first.bindTwoWay(with: second) }
    properties[199].bindTwoWay(with: properties[0])
    let log = EventLog<Int>()
    let subscription = properties[77].changes.log(to: log)
    for value in 1...5 { properties[value * 30].value = value }
    #expect(log.values == [1, 2, 3, 4, 5])
    #expect(properties.allSatisfy { $0.value == 5 })
    withExtendedLifetime(subscription) {}
  }

  @Test("a ring of bindings comes to rest with not-a-number too, and still hands over what differs beside it")
  func notANumber() {
    struct Place: Equatable {
      var name = ""
      var heights: [Double?] = []
    }
    func ring<Value: Equatable & Sendable>(_ value: Value, _ changes: Value...) -> [[Value]] {
      let properties = (0..<3).map { _ in Property(value) }
      for index in 0..<3 { properties[index].bindTwoWay(with: properties[(index + 1) % 3]) }
      return changes.map { change in
        properties[1].value = change
        return properties.map(\.value)
      }
    }
    let numbers = ring(0.0, .nan, 1, .nan).map { $0.map(\.isNaN) }
    #expect(numbers == [[true, true, true], [false, false, false], [true, true, true]])
    let first = Place(name: "sea", heights: [0, nil, .nan])
    let other = Place(name: "hill", heights: [0, nil, .nan])
    #expect(ring(Place(), first, other).map { $0.map(\.name) } == [["sea", "sea", "sea"], ["hill", "hill", "hill"]])
    #expect(ring(Float?.none, .nan, nil).map { $0.map { $0?.isNaN } } == [[true, true, true], [nil, nil, nil]])
  }

  @Test("writers on both sides, on two threads: both end with the same value, and no stack grows")
  func racing() {
    for _ in 0..<50 {
      let (first, second) = (Property(0), Property(0))
      first.bindTwoWay(with: second)
      onThreads {
        for value in 1...500 { first.value = value }
      } _: {
        for value in 1...500 { second.value = -value }
      }
      #expect(first.value == second.value)
      #expect(abs(first.value) == 500)
    }
  }

  @Test("disposed while both sides are written")
  func racingDisposal() {
    for _ in 0..<200 {
      let (first, second) = (Property(0), Property(0))
      let binding = first.bindTwoWay(with: second)
      onThreads(
        { for value in 1...20 { first.value = value } },
        { for value in 1...20 { second.value = -value } },
        { binding.dispose() })
      #expect(first.subscriberCount + second.subscriberCount == 0)
    }
  }
}
