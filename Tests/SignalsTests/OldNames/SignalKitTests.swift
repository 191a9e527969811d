import Signals
import Testing

private func print(_ items: Any...) { Printed.append(items) }

/// Runs the samples of ComingFromSignalKit.md; `scripts/check-old-names` compares them.
@Suite("Coming from SignalKit")
struct SignalKitTests {
  @Test("values are sent, and a bag keeps who listens")
  func sending() {
    let printed = Printed.by {
      // Sample
      let bag = DisposeBag()
      let cities = Emitter<String>()
      cities.signal.subscribe { print("on to", $0) }.store(in: bag)
      cities.send("Oslo")  // on to Oslo
      bag.disposeAll()
      cities.send("Bergen")  // Nobody listens any more.
      // End of sample
    }
    #expect(printed == ["on to Oslo"])
  }

  @Test("disposing a chain ends the chain, and nothing of what others share")
  func chains() {
    let printed = Printed.by {
      // Sample
      let kilometres = Emitter<Int>()
      let isMoving = Emitter<Bool>()
      let pace = kilometres.signal.filter { $0 > 0 }.combineLatest(isMoving.signal).map { way, isMoving in
        isMoving ? way : 0
      }
      let display = pace.subscribe { print("display", $0) }
      let log = kilometres.signal.subscribe { print("log", $0) }
      isMoving.send(true)
      kilometres.send(12)  // display 12, log 12
      display.dispose()
      kilometres.send(15)  // log 15
      print(kilometres.subscriberCount, isMoving.subscriberCount)  // 1 0
      log.dispose()
      // End of sample
    }
    #expect(printed == ["display 12", "log 12", "log 15", "1 0"])
  }

  @Test("a value that is kept, and given to newcomers")
  func keptValue() {
    let printed = Printed.by {
      // Sample
      let bag = DisposeBag()
      let city = Property("Oslo")
      city.signal.subscribe { print("first:", $0) }.store(in: bag)  // first: Oslo
      city.value = "Bergen"  // first: Bergen
      city.signal.subscribe { print("second:", $0) }.store(in: bag)  // second: Bergen
      // End of sample
    }
    #expect(printed == ["first: Oslo", "first: Bergen", "second: Bergen"])
  }

  @Test("a variable of an object is watched without strings")
  func variable() {
    let printed = Printed.by {
      // Sample
      final class Train {
        @Observed var platform = 3
      }

      let train = Train()
      let bag = DisposeBag()
      train.$platform.subscribe { print("platform", $0) }.store(in: bag)  // platform 3
      train.platform = 5  // platform 5
      // End of sample
    }
    #expect(printed == ["platform 3", "platform 5"])
  }

  @Test("values are written to a label, which is held weakly")
  @MainActor func label() async {
    await MainQueue.whenNothingWaits {
      let printed = Printed.by {
        // Sample
        @MainActor final class Label {
          var text = ""
          var isHidden = false
        }

        let label = Label()
        let destination = Emitter<String>()
        destination.signal.bind(to: \.text, on: label)
        destination.signal.map(\.isEmpty).bind(to: \.isHidden, on: label)
        destination.send("Trondheim")
        print(label.text, label.isHidden)  // Trondheim false
        // End of sample
      }
      return printed == ["Trondheim false"]
    }
  }

  @Test("one signal is bound to another")
  func emitter() {
    let printed = Printed.by {
      // Sample
      let departures = Emitter<String>()
      let board = Emitter<String>()
      let bag = DisposeBag()
      board.signal.subscribe { print($0) }.store(in: bag)
      departures.signal.bind(to: board)
      departures.send("10:02 Oslo")  // 10:02 Oslo
      // End of sample
    }
    #expect(printed == ["10:02 Oslo"])
  }

  @Test("rows are inserted, moved and removed in the order in which it happens")
  func collections() throws {
    let printed = try Printed.by {
      // Sample
      var stops: [ItemSection<String>] = [["Oslo", "Hamar"]]
      var change: CollectionChange<ItemSection<String>> = []
      change.operations.append(.insertItem("Otta", at: CollectionPosition(section: 0, item: 2)))
      change.operations.append(
        .moveItem(from: CollectionPosition(section: 0, item: 0), to: CollectionPosition(section: 0, item: 2)))
      try stops.apply(change)
      print(stops[0].items)  // ["Hamar", "Otta", "Oslo"]
      // End of sample
    }
    #expect(printed == [#"["Hamar", "Otta", "Oslo"]"#])
  }

  @Test("every operator has its counterpart")
  func operators() throws {
    let printed = try Printed.by {
      // Sample
      let time = VirtualTimeScheduler()
      let keys = Emitter<String>()
      let bag = DisposeBag()
      keys.signal
        .dropFirst()
        .removeDuplicates()
        .debounce(for: .milliseconds(300), on: time)
        .delay(for: .milliseconds(100), on: time)
        .subscribe { print("search", $0) }
        .store(in: bag)
      for key in ["", "o", "os", "os"] { keys.send(key) }
      try time.advance(by: .milliseconds(400))  // search os

      let fields = [Property("Oslo"), Property("")]
      let filled = fields.map { $0.signal.map { !$0.isEmpty } }
      allSatisfy(filled).subscribe { print("all:", $0) }.store(in: bag)  // all: false
      anySatisfy(filled).subscribe { print("any:", $0) }.store(in: bag)  // any: true
      fields[1].value = "Bergen"  // all: true, any: true
      // End of sample
    }
    #expect(printed == ["search os", "all: false", "any: true", "all: true", "any: true"])
  }
}
