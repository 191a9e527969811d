import Observation
import SignalCocoa
import Signals
import Synchronization
import Testing

@MainActor @Suite struct ObservableValueTests {
  @Test func whatIsWrittenOnOneSideIsReadOnTheOther() async {
    let model = Property(1)
    let shown = ObservableValue(model)
    await turn()
    #expect(shown.value == 1)
    model.value = 2
    await turn()
    #expect(shown.value == 2)
    shown.value = 3
    await turn()
    #expect(shown.value == 3)
    #expect(model.value == 3)
  }

  @Test func changesAreObserved() async {
    let model = Property(1)
    let shown = ObservableValue(model)
    await turn()
    let changes = Atomic(0)
    withObservationTracking {
      _ = shown.value
    } onChange: {
      changes.add(1, ordering: .relaxed)
    }
    model.value = 2
    await turn()
    #expect(changes.load(ordering: .relaxed) == 1)
  }

  @Test func itLeavesThePropertyWhenItGoes() async {
    let model = Property(1)
    var shown: ObservableValue? = ObservableValue(model)
    #expect(model.subscriberCount == 1)
    #expect(shown?.value == 1)
    shown = nil
    #expect(model.subscriberCount == 0)
  }

  @Test func theLatestValueOfASignalIsObserved() async {
    let prices = Emitter<Int>()
    var shown: ObservedSignal? = ObservedSignal(prices.signal, first: 0)
    #expect(shown?.value == 0)
    let changes = Atomic(0)
    withObservationTracking {
      _ = shown?.value
    } onChange: {
      changes.add(1, ordering: .relaxed)
    }
    prices.send(5)
    await turn()
    #expect(shown?.value == 5)
    #expect(changes.load(ordering: .relaxed) == 1)
    shown = nil
    #expect(prices.subscriberCount == 0)
  }
}
