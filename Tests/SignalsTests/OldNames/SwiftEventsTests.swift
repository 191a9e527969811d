import Signals
import Testing

private func print(_ items: Any...) { Printed.append(items) }

/// Runs the samples of ComingFromSwiftEvents.md; `scripts/check-old-names` compares them.
@Suite("Coming from SwiftEvents")
struct SwiftEventsTests {
  @Test("a view shows what its model says")
  @MainActor func dataBinding() async {
    await MainQueue.whenNothingWaits {
      let printed = Printed.by {
        // Sample
        final class OrderModel: Sendable {
          let status = Property("cooking")

          func deliver() { status <<< "on its way" }
        }

        @MainActor final class OrderView {
          private(set) var text = ""

          init(_ model: OrderModel) {
            model.status.signal.subscribe(onMainWith: self) { view, status in view.text = status }
          }
        }

        let model = OrderModel()
        let view = OrderView(model)
        print(view.text)  // cooking
        model.deliver()
        print(view.text)  // on its way
        // End of sample
      }
      return printed == ["cooking", "on its way"]
    }
  }

  @Test("an event in place of a delegate")
  @MainActor func delegate() async {
    await MainQueue.whenNothingWaits {
      let printed = Printed.by {
        // Sample
        @MainActor final class Kitchen {
          private let didCook = Emitter<(dish: String, minutes: Int)>()
          var cooked: Signal<(dish: String, minutes: Int)> { didCook.signal }

          func cook(_ dish: String) { didCook.send((dish, 12)) }
        }

        @MainActor final class Waiter {
          private let kitchen = Kitchen()

          init() {
            kitchen.cooked.subscribe(onMainWith: self) { waiter, order in waiter.serve(order.dish) }
          }

          func order(_ dish: String) { kitchen.cook(dish) }

          private func serve(_ dish: String) { print("here is your", dish) }
        }

        Waiter().order("soup")  // here is your soup
        // End of sample
      }
      return printed == ["here is your soup"]
    }
  }

  @Test("one place for news from everywhere")
  func notifications() {
    let printed = Printed.by {
      // Sample
      final class News: Sendable {
        static let shared = News()
        let menuChanged = Emitter<String>()
      }

      final class Board: Sendable {
        init() {
          News.shared.menuChanged.signal.subscribe(with: self) { _, dish in print("board:", dish) }
        }
      }

      let boards = [Board(), Board()]
      News.shared.menuChanged.send("stew")  // board: stew, twice
      print(boards.count, News.shared.menuChanged.subscriberCount)  // 2 2
      // End of sample
    }
    #expect(printed == ["board: stew", "board: stew", "2 2"])
  }

  @Test("who subscribed may leave, or be sent away; nobody else is")
  func leaving() {
    let printed = Printed.by {
      // Sample
      final class Guest: Sendable {
        let name: String
        init(_ name: String) { self.name = name }
      }

      let bell = Emitter<Void>()
      let (ada, grace) = (Guest("Ada"), Guest("Grace"))
      for guest in [ada, grace] {
        bell.signal.subscribe(with: guest) { guest, _ in print(guest.name, "comes") }
      }
      bell.disposeSubscriptions(of: ada)
      bell.send()  // Grace comes
      print(bell.subscriberCount)  // 1
      bell.disposeAllSubscriptions()
      bell.send()
      print(bell.subscriberCount)  // 0
      print(ada.name, grace.name)  // Ada Grace
      // End of sample
    }
    #expect(printed == ["Grace comes", "1", "0", "Ada Grace"])
  }

  @Test("who goes is counted out")
  func weakTargets() {
    let printed = Printed.by {
      // Sample
      final class Guest: Sendable {}

      let bell = Emitter<Void>()
      var guest: Guest? = Guest()
      if let guest { bell.signal.subscribe(with: guest) { _, _ in print("a guest comes") } }
      bell.send()  // a guest comes
      print(guest != nil, bell.subscriberCount)  // true 1
      guest = nil
      bell.send()
      print(bell.subscriberCount)  // 0
      // End of sample
    }
    #expect(printed == ["a guest comes", "true 1", "0"])
  }

  @Test("how often something was sent")
  func counting() {
    let printed = Printed.by {
      // Sample
      let bell = Emitter<Void>()
      bell.send()
      bell.send()
      print(bell.sentCount)  // 2
      bell.resetSentCount()
      print(bell.sentCount)  // 0
      // End of sample
    }
    #expect(printed == ["2", "0"])
  }

  @Test("once, or a number of times, counted for each subscriber")
  func numberOfTimes() {
    let printed = Printed.by {
      // Sample
      let bag = DisposeBag()
      let orders = Emitter<String>()
      orders.send("tea")  // Nobody listens yet, so nobody counts it.
      orders.signal.prefix(1).subscribe { print("once:", $0) }.store(in: bag)
      orders.signal.prefix(2).subscribe { print("twice:", $0) }.store(in: bag)
      for order in ["soup", "bread", "cake"] { orders.send(order) }
      // once: soup, twice: soup, twice: bread
      // End of sample
    }
    #expect(printed == ["once: soup", "twice: soup", "twice: bread"])
  }

  @Test("on another queue")
  func queues() throws {
    let printed = try Printed.by {
      // Sample
      let time = VirtualTimeScheduler()  // In an app: `.main`, or `.queue(queue)`.
      let bag = DisposeBag()
      let orders = Emitter<String>()
      orders.signal.receive(on: time).subscribe { print("got", $0) }.store(in: bag)
      orders.send("soup")
      print("sent")  // sent
      try time.run()  // got soup
      // End of sample
    }
    #expect(printed == ["sent", "got soup"])
  }
}
