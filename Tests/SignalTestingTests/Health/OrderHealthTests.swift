import SignalTesting
import Signals
import Testing

/// What is due at one moment of virtual time is told in a test too.
@Suite struct OrderHealthTests {
  private let bag = DisposeBag()

  @Test func twoDeadlinesOfOneSourceAreFound() {
    var line = 0
    let issues = issuesOf {
      assertHealthy {
        let scheduler = VirtualTimeScheduler()
        let (orders, sign) = (Emitter<Int>(), Property(""))
        let ready = orders.signal.delay(for: .milliseconds(200), on: scheduler).map { "order \($0)" }
        let dark = orders.signal.delay(for: .milliseconds(200), on: scheduler).map { _ in "" }
        line = #line + 1
        ready.merge(with: dark).subscribe { sign.value = $0 }.store(in: bag)
        for order in 1...5 {
          orders.send(order)
          try? scheduler.advance(by: .seconds(1))
        }
        bag.disposeAll()
      }
    }
    #expect(issues.map { $0.sourceLocation?.line } == [line])
    #expect(issues.first?.comments.first?.rawValue.hasPrefix("order-dependent: values of `emitter` reach") == true)
  }

  @Test func oneDeadlineIsHealthy() {
    assertHealthy {
      let scheduler = VirtualTimeScheduler()
      let (orders, sign) = (Emitter<Int>(), Property(""))
      let late = orders.signal.delay(for: .milliseconds(200), on: scheduler).share()
      late.map { "order \($0)" }.merge(with: late.map { _ in "" }.delay(for: .milliseconds(100), on: scheduler))
        .subscribe { sign.value = $0 }.store(in: bag)
      for order in 1...5 {
        orders.send(order)
        try? scheduler.advance(by: .seconds(1))
      }
      bag.disposeAll()
    }
  }

  /// The search of orders finds that the fault is one.
  @Test func theSearchOfOrdersProvesIt() {
    @Sendable func signs(_ scheduler: VirtualTimeScheduler) throws -> [String] {
      let (orders, seen) = (Emitter<Int>(), Property<[String]>([]))
      let bag = DisposeBag()
      let ready = orders.signal.delay(for: .milliseconds(200), on: scheduler).map { "order \($0)" }
      let dark = orders.signal.delay(for: .milliseconds(200), on: scheduler).map { _ in "" }
      ready.merge(with: dark).subscribe { seen.value.append($0) }.store(in: bag)
      orders.send(1)
      try scheduler.run()
      return seen.value
    }
    let issues = issuesOf {
      exploreInterleavings { scheduler in
        let seen = try signs(scheduler)
        #expect(seen.last == "")
      }
    }
    #expect(!issues.isEmpty)
  }
}
