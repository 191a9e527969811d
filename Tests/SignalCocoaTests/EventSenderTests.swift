import Dispatch
import Foundation
import Signals
import Testing

@testable import SignalCocoa

@MainActor @Suite struct EventSenderTests {
  @Test func eventsOfAKindAreDelivered() {
    let (dial, log) = (Dial(), Log())
    let subscription = dial.events(.pressed).subscribe { log.add("pressed") }
    dial.fire(.pressed)
    dial.turn(to: 1)
    dial.fire(.pressed)
    #expect(log.lines == ["pressed", "pressed"])
    subscription.dispose()
  }

  @Test func valuesBeginWithTheCurrentOne() {
    let (dial, log) = (Dial(), Log())
    dial.position = 3
    let subscription = dial.values(of: \.position, on: .turned).subscribe { log.add("\($0)") }
    dial.turn(to: 4)
    dial.position = 5
    dial.turn(to: 6)
    #expect(log.lines == ["3", "4", "6"])
    subscription.dispose()
  }

  @Test func eventsThatTheHandlerOfTheCurrentValueCausesAreDelivered() {
    let (dial, log) = (Dial(), Log())
    let subscription = dial.values(of: \.position, on: .turned).subscribe { position in
      log.add("\(position)")
      if position == 0 { MainActor.assumeIsolated { dial.turn(to: 1) } }
    }
    #expect(log.lines == ["0", "1"])
    subscription.dispose()
  }

  @Test func whoLeavesIsForgotten() {
    let (dial, log) = (Dial(), Log())
    let first = dial.events(.pressed).subscribe { log.add("first") }
    let second = dial.events(.pressed).subscribe { log.add("second") }
    #expect(dial.relays.count == 2)
    first.dispose()
    #expect(dial.relays.count == 1)
    dial.fire(.pressed)
    second.dispose()
    #expect(dial.relays.isEmpty)
    #expect(log.lines == ["second"])
  }

  @Test func whoHasEnoughIsForgotten() {
    let (dial, log) = (Dial(), Log())
    let current = dial.values(of: \.position, on: .turned).prefix(1).subscribe { log.add("\($0)") }
    #expect(dial.relays.isEmpty)
    let next = dial.events(.pressed).prefix(1).subscribe { log.add("pressed") }
    dial.fire(.pressed)
    #expect(dial.relays.isEmpty)
    #expect(log.lines == ["0", "pressed"])
    #expect(current.isDisposed && next.isDisposed)
  }

  @Test func aSenderIsNotKeptAndFinishesItsSignals() {
    let log = Log()
    var dial: Dial? = Dial()
    weak let gone = dial
    let events = dial?.events(.pressed)
    let subscription = events?.subscribe(onFinish: { log.add("finished") })
    dial = nil
    #expect(gone == nil)
    #expect(log.lines == ["finished"])
    #expect(subscription?.isDisposed == true)
    // Who comes later finds the end at once.
    let late = events?.subscribe(onFinish: { log.add("late") })
    #expect(late?.isDisposed == true)
    #expect(log.lines == ["finished", "late"])
  }

  @Test func fromElsewhereListeningBeginsAndStopsOnTheMainActor() async {
    let dial = Dial()
    let events = dial.events(.pressed)
    let subscription = await Task.detached { events.subscribe {} }.value
    await turn()
    #expect(dial.relays.count == 1)
    await Task.detached { subscription.dispose() }.value
    await turn()
    #expect(dial.relays.isEmpty)
  }

  @Test func whoLeavesBeforeItBeginsIsNeverListenedFor() async {
    let dial = Dial()
    let events = dial.events(.pressed)
    await Task.detached { events.subscribe {}.dispose() }.value
    await turn()
    #expect(dial.relays.isEmpty)
  }

  @Test func aPropertyAndAControlTakeOverEachOthersChanges() async {
    let dial = Dial()
    let model = Property(7)
    let binding = dial.bindTwoWay(\.position, on: .turned, with: model)
    await turn()
    #expect(dial.position == 7)
    dial.turn(to: 8)
    await turn()
    #expect(model.value == 8)
    model.value = 9
    await turn()
    #expect(dial.position == 9)
    // One write by the binding, one by the user, one by the binding: nothing comes back.
    #expect(dial.writes == 3)
    binding.dispose()
    model.value = 10
    dial.turn(to: 11)
    await turn()
    #expect((dial.position, model.value) == (11, 10))
  }

  @Test func aChangeByTheUserIsNewerThanOneThatWaitsForTheMainQueue() async {
    let dial = Dial()
    let model = Property(7)
    let binding = dial.bindTwoWay(\.position, on: .turned, with: model)
    await turn()
    changeElsewhere(model, to: 9)
    dial.turn(to: 11)
    dial.turn(to: 12)
    // Once for what waits, and once for what that changes.
    await turn()
    await turn()
    #expect((dial.position, model.value) == (12, 12))
    binding.dispose()
  }

  /// Changes a property on another thread, while the main queue is busy.
  private func changeElsewhere(_ model: Property<Int>, to value: Int) {
    let isDone = DispatchSemaphore(value: 0)
    Thread.detachNewThread {
      model.value = value
      isDone.signal()
    }
    isDone.wait()
  }

  @Test func aBindingEndsWithTheControl() async {
    let model = Property(7)
    var dial: Dial? = Dial()
    dial?.bindTwoWay(\.position, on: .turned, with: model)
    await turn()
    weak let gone = dial
    dial = nil
    #expect(gone == nil)
    model.value = 8
    await turn()
    #expect(model.subscriberCount == 0)
  }

  @Test func aListOfRelaysMayChangeWhileItFires() {
    let log = Log()
    let list = RelayList()
    let second = EventRelay {
      log.add("second")
    } gone: {
    }
    let first = EventRelay {
      log.add("first")
      list.remove(second)
    } gone: {
    }
    list.add(first)
    list.add(second)
    list.fire()
    #expect(log.lines == ["first"])
    list.remove(first)
    #expect(list.isEmpty)
  }
}
