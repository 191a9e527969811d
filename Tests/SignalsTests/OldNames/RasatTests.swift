import Signals
import Testing

private func print(_ items: Any...) { Printed.append(items) }

/// Runs the samples of ComingFromRasat.md; `scripts/check-old-names` compares them.
@Suite("Coming from Rasat")
struct RasatTests {
  @Test("a channel sends, its signal only listens")
  func channel() {
    let printed = Printed.by {
      // Sample
      enum DoorEvent { case opened(by: String), closed }

      let door = Emitter<DoorEvent>()
      let subscription = door.signal.subscribe { event in
        switch event {
        case .opened(let name): print("opened by", name)
        case .closed: print("closed")
        }
      }
      door.send(.opened(by: "Ada"))  // opened by Ada
      subscription.dispose()
      door.send(.closed)  // Nobody listens any more.
      // End of sample
    }
    #expect(printed == ["opened by Ada"])
  }

  @Test("a subject tells its changes")
  func subject() {
    let printed = Printed.by {
      // Sample
      let bag = DisposeBag()
      let light = Property("off")
      bag += light.changes.subscribe { print("change:", $0) }
      bag += light.signal.subscribe { print("now:", $0) }  // now: off
      light.value = "on"  // change: on, now: on
      // End of sample
    }
    #expect(printed == ["now: off", "change: on", "now: on"])
  }

  @Test("a manager sends, a screen listens for as long as it lives")
  func manager() {
    let printed = Printed.by {
      // Sample
      final class Thermostat: Sendable {
        private let emitter = Emitter<Double>()
        var temperatures: Signal<Double> { emitter.signal }

        func measure(_ temperature: Double) { emitter.send(temperature) }
      }

      final class Display: DisposeBagOwner {
        let disposeBag = DisposeBag()

        init(_ thermostat: Thermostat) {
          disposeBag += thermostat.temperatures.subscribe { [weak self] temperature in self?.show(temperature) }
        }

        func show(_ temperature: Double) { print("it is", temperature) }
      }

      let thermostat = Thermostat()
      var display: Display? = Display(thermostat)
      thermostat.measure(21.5)  // it is 21.5
      print(display != nil)  // true
      display = nil
      thermostat.measure(22)  // Nobody listens any more.
      // End of sample
    }
    #expect(printed == ["it is 21.5", "true"])
  }

  @Test("values and variables can be given away for reading only")
  func readOnly() {
    let printed = Printed.by {
      // Sample
      final class Sender: Sendable {
        private let count = Emitter<Int>()
        private let state = Property("idle")
        var counts: Signal<Int> { count.signal }
        var currentState: ReadOnlyProperty<String> { state.readOnly }

        func work() {
          state.value = "busy"
          count.send(1)
        }
      }

      final class Receiver: DisposeBagOwner {
        let disposeBag = DisposeBag()

        init(_ counts: Signal<Int>) {
          disposeBag += counts.subscribe { print("count", $0) }
        }
      }

      let sender = Sender()
      let receiver = Receiver(sender.counts)
      sender.work()  // count 1
      print(sender.currentState.value, receiver.disposeBag.count)  // busy 1
      // End of sample
    }
    #expect(printed == ["count 1", "busy 1"])
  }

  @Test("who listens")
  func listeners() {
    let printed = Printed.by {
      // Sample
      let bag = DisposeBag()
      let door = Emitter<String>()
      bag += door.signal.named("log").subscribe { _ in }
      bag += door.signal.named("lamp").subscribe { _ in }
      print(door.subscribers.map { $0.name ?? "?" })  // ["log", "lamp"]
      // End of sample
    }
    #expect(printed == [#"["log", "lamp"]"#])
  }

  @Test("a bag for one use, and one for many")
  func bags() {
    let printed = Printed.by {
      // Sample
      let bag = DisposeBag()
      bag += Subscription { print("first") }
      bag.disposeAll()  // first
      bag += Subscription { print("second") }
      bag.close()  // second
      bag += Subscription { print("third") }  // third
      // End of sample
    }
    #expect(printed == ["first", "second", "third"])
  }

  @Test("what a subscription begins with")
  func policies() {
    let printed = Printed.by {
      // Sample
      let bag = DisposeBag()
      let door = Emitter<String>()
      let latest = Emitter<String>(replay: 1)
      latest.send("open")
      bag += door.signal.prepend("unknown").subscribe { print("door:", $0) }  // door: unknown
      bag += latest.signal.subscribe { print("latest:", $0) }  // latest: open
      // End of sample
    }
    #expect(printed == ["door: unknown", "latest: open"])
  }

  @Test("operators, signals of one's own, and lifetimes")
  func operators() {
    let printed = Printed.by {
      // Sample
      final class Room: Sendable {}

      let bag = DisposeBag()
      let door = Emitter<String?>()
      var room: Room? = Room()
      if let room {
        bag += door.signal.compacted().removeDuplicates().prefix(duringLifetimeOf: room).subscribe {
          print("door:", $0)
        }
      }
      for state in ["open", nil, "open", "closed"] { door.send(state) }  // door: open, door: closed
      print(room != nil)  // true
      room = nil
      door.send("open")  // Nothing: the room is gone.

      let ready = Signal<Int> { producer in
        producer.send(3)
        producer.finish()
      }
      bag += ready.subscribe { print("ready:", $0) }  // ready: 3
      // End of sample
    }
    #expect(printed == ["door: open", "door: closed", "true", "ready: 3"])
  }
}
