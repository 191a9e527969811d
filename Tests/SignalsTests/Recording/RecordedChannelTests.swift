import SignalGraph
import Signals
import Testing

@Suite("Channels in the recorded graph")
struct RecordedChannelTests {
  private let recorder = GraphRecorder()

  /// What each node that has a name or a channel is, such as "map “out” to orders".
  private var shown: [String] {
    let snapshot = recorder.snapshot()
    return snapshot.nodes.filter { $0.name != nil || $0.channels != nil }.map { node in
      let kind = snapshot.definitions.first { $0.id == node.definition }?.kind ?? ""
      let channels = (node.channels ?? []).map { " \($0.direction.rawValue) \($0.name)" }.joined()
      return "\(kind) “\(node.name ?? "")”\(channels)"
    }
  }

  @Test("the operator that is called on is an end, and no other")
  func operators() {
    recorder.record {
      let orders = Emitter<Int>()
      let subscription = orders.signal.map { $0 }.filter { $0 > 0 }.named("out", link: .to("orders")).map { $0 }
        .subscribe { _ in }
      #expect(shown == ["filter “out” to orders"])
      withExtendedLifetime((orders, subscription)) {}
    }
  }

  @Test("an operator may be several ends, each once; the nearest name counts")
  func several() {
    recorder.record {
      let orders = Emitter<Int>()
      let subscription = orders.signal.delay(for: .zero, on: VirtualTimeScheduler())
        .named("in", link: .from("orders")).named("again", link: .from("orders")).named("through", link: .to("bills"))
        .named("last").subscribe { _ in }
      #expect(shown == ["delay “last” from orders to bills"])
      withExtendedLifetime((orders, subscription)) {}
    }
  }

  @Test("a source is an end, whichever of its chains says so first or last")
  func sources() {
    recorder.record {
      let orders = Emitter<Int>()
      let subscriptions = [
        orders.signal.subscribe { _ in },
        orders.signal.named("in", link: .from("orders")).subscribe { _ in },
        orders.signal.named("in", link: .from("orders")).map { $0 }.subscribe { _ in },
        orders.signal.named("out", link: .to("copies")).subscribe { _ in },
      ]
      #expect(shown == ["emitter “in” from orders to copies"])
      withExtendedLifetime(subscriptions) {}
    }
  }

  @Test("a property and a shared signal are ends from the first chain on")
  func shared() {
    recorder.record {
      let price = Property(1)
      let total = price.signal.map { $0 }.share().named("total", link: .to("totals"))
      let subscriptions = [
        total.subscribe { _ in }, price.signal.named("price", link: .from("prices")).subscribe { _ in },
      ]
      #expect(shown.sorted() == ["property “price” from prices", "share “total” to totals"])
      withExtendedLifetime((price, subscriptions)) {}
    }
  }

  @Test("a step of another pipeline is an end of those that it is linked to")
  func reported() {
    recorder.record {
      let reporter = GraphReporter("receive", named: "socket")
      reporter.link(.from("orders"))
      reporter.link(.from("orders"))
      reporter.link(.to("bills"))
      #expect(shown == ["receive “socket” from orders to bills"])
    }
  }
}
