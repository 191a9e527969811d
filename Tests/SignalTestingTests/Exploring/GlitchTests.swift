import Signals
import Testing

@testable import SignalTesting

@Suite struct GlitchTests {
  @Test func aDiamondIsFound() throws {
    let glitches = findGlitches { m in
      let price = m.hot("-1-2-|", of: Int.self)
      let net = price.signal.map { $0 * 10 }
      let tax = price.signal.filter { _ in true }.map { $0 * 2 }
      m.expect(net.combineLatest(tax).map { $0 + $1 }, "-<12>-(<22><24>)-|")
    }
    try #require(glitches.count == 1)
    #expect(glitches[0].value == "<22>")
    #expect(glitches[0].event == 2)
    #expect(glitches[0].time == .milliseconds(3))
    #expect(glitches[0].join.hasPrefix("combineLatest GlitchTests.swift:"))
    #expect(glitches[0].latePath.hasPrefix("map GlitchTests.swift:"))
    #expect(glitches[0].latePath.contains("<- filter GlitchTests.swift:"))
    #expect(glitches[0].latePath.hasSuffix("<- source 1"))
    #expect(!glitches[0].earlyPath.contains("filter"))
    #expect(glitches[0].picture.contains("received  -"))
  }

  @Test func aPathThatHopsIsLate() throws {
    let glitches = findGlitches { m in
      let price = m.hot("-1--2-|", of: Int.self)
      let tax = price.signal.map { $0 * 2 }.receive(on: m.scheduler)
      m.expect(tax.combineLatest(price.signal).map { $0 + $1 }, "-3--(46)-|")
    }
    #expect(glitches.map(\.value) == ["4"])
    #expect(glitches.first?.latePath.hasPrefix("receive(on:)") ?? false)
  }

  @Test func diamondsOfPropertiesAndEmittersAreFound() throws {
    let glitches = findGlitches { m in
      let clicks = m.hot("-1-2-|", of: Int.self)
      let count = Property(0)
      let bag = DisposeBag()
      clicks.signal.subscribe { count.value = $0 }.store(in: bag)
      let double = count.signal.map { $0 * 2 }
      m.expect(
        count.signal.combineLatest(double).map { $0 * 10 + $1 }.handle(onDispose: { bag.close() }),
        "{0}-(<10><12>)-(<22><24>)-|")
    }
    #expect(glitches.map(\.value) == ["<10>", "<22>"])
    #expect(glitches.first?.latePath.contains("<- property GlitchTests.swift:") ?? false)
  }

  @Test func diamondOfAColdSourceIsFound() {
    let direct = findGlitches { m in
      let price = m.cold("-1--2--|", of: Int.self)
      let tax = price.signal.map { $0 * 2 }
      m.expect(price.signal.combineLatest(tax).map { $0 + $1 }, "-3--(46)--|")
    }
    #expect(direct.map(\.value) == ["4"])
    #expect(direct.first?.latePath.hasSuffix("<- source 1") == true)
    let hopping = findGlitches { m in
      let price = m.cold("-1--2--|", of: Int.self)
      let tax = price.signal.map { $0 * 2 }.receive(on: m.scheduler)
      m.expect(price.signal.combineLatest(tax).map { $0 + $1 }, "-3--(46)--|")
    }
    #expect(hopping.map(\.value) == ["4"])
  }

  @Test func eventsOfAColdSourceAtOneInstantAreSeveralCauses() {
    expectNoGlitches { m in
      let price = m.cold("-1--(23)--|", of: Int.self)
      m.expect(price.signal.map { ($0, $0 * 2) }.map { $0 + $1 }, "-3--(69)--|")
      m.expect(price.signal.zip(price.signal.map { $0 * 2 }).map { $0 + $1 }, "-3--(69)--|")
    }
  }

  /// The source itself may be the input that comes late.
  @Test func aSourceThatComesAfterWhatIsMadeOfItIsLate() {
    let glitches = findGlitches { m in
      let price = m.hot("-1--2-|", of: Int.self)
      let tax = price.signal.map { $0 * 10 }
      m.expect(tax.combineLatest(price.signal).map { $0 + $1 }, "-<11>--(<21><22>)-|")
    }
    #expect(glitches.map(\.value) == ["<21>"])
  }

  @Test func aBindingIsAPath() {
    let tax = Property(0)
    let glitches = findGlitches { m in
      let price = m.hot("-1--2-", of: Int.self)
      price.signal.map { $0 * 2 }.bind(to: tax)
      m.expect(price.signal.combineLatest(tax.signal).map { $0 + $1 }, "-3--(56)-")
    }
    #expect(glitches.map(\.value) == ["5"])
    let (price, other) = (Property(1), Emitter<Int>(replay: 1))
    let ofProperty = findGlitches { m in
      price.signal.map { $0 * 2 }.bind(to: other)
      m.at(.milliseconds(5)) { price.value = 2 }
      m.expect(price.signal.filter { _ in true }.combineLatest(other.signal).map { $0 + $1 }, "{3}-----(56)")
    }
    #expect(ofProperty.map(\.value) == ["5"])
    // Who combines with the property alone sees no mixture.
    let shown = Property(0)
    expectNoGlitches { m in
      let price = m.hot("-1--2-", of: Int.self)
      price.signal.map { $0 * 2 }.bind(to: shown)
      let user = m.hot("x", of: String.self)
      m.expect(shown.signal.combineLatest(user.signal).map { shown, _ in shown }, "02--4-")
    }
  }

  @Test func healthyChainsReportNothing() {
    expectNoGlitches { m in
      let price = m.hot("-1-2-|", of: Int.self)
      m.expect(price.signal.map { $0 * 10 }.zip(price.signal).map { $0 + $1 }, "-<11>-<22>-|")
    }
    // Two sources at the same instant are two causes.
    expectNoGlitches { m in
      let left = m.hot("-1-2-|", of: Int.self)
      let right = m.hot("-1-2-|", of: Int.self)
      m.expect(left.signal.combineLatest(right.signal).map { $0 * 10 + $1 }, "-<11>-(<21><22>)-|")
    }
    // Also when one of them hops.
    expectNoGlitches { m in
      let left = m.hot("-1-2-|", of: Int.self)
      let right = m.hot("-1-2-|", of: Int.self)
      m.expect(
        left.signal.receive(on: m.scheduler).combineLatest(right.signal).map { $0 * 10 + $1 }, "-<11>-(<12><22>)-|")
    }
    // A path that delays is late on purpose.
    expectNoGlitches { m in
      let price = m.hot("-1--2--|", of: Int.self)
      m.expect(
        price.signal.combineLatest(price.signal.delay(for: .milliseconds(1), on: m.scheduler)).map { $0 * 10 + $1 },
        "--<11>-<21><22>--|")
    }
    // What merges does not mix.
    expectNoGlitches { m in
      let price = m.hot("-1-2-|", of: Int.self)
      m.expect(Signal.merge(price.signal, price.signal.map { $0 * 3 }), "-(13)-(26)-|")
    }
    expectNoGlitches { m in
      let clicks = m.hot("-1-2-|", of: Int.self)
      let count = Property(0)
      let bag = DisposeBag()
      clicks.signal.subscribe { count.value = $0 }.store(in: bag)
      let sum = count.map { $0 * 2 }.combined(with: count.map { $0 * 3 }).map { $0 + $1 }
      m.expect(sum.signal.handle(onDispose: { bag.close() }), "{0}-5-<10>-|")
    }
  }

  @Test func glitchThatEndsItsChainIsFound() {
    func glitches(_ ending: (Signal<Int>) -> Signal<Int>, _ diagram: String) -> [String] {
      findGlitches { m in
        let price = m.hot("-1--2--|", of: Int.self)
        let minus = price.signal.map { -$0 }
        m.expect(ending(price.signal.combineLatest(minus).map { $0 + $1 }), diagram)
      }.map(\.value)
    }
    #expect(glitches({ $0.prefix(2) }, "-0--(1|)") == ["1"])
    #expect(glitches({ $0.first { $0 > 0 } }, "----(1|)") == ["1"])
    #expect(glitches({ $0.prefix(while: { $0 == 0 }, inclusive: true) }, "-0--(1|)") == ["1"])
    #expect(glitches({ $0.contains(1).map { $0 ? 1 : 0 } }, "----(1|)") == ["1"])
    #expect(glitches({ $0.prefix(2).last() }, "----(1|)") == ["1"])
    #expect(glitches({ $0.map { if $0 > 0 { throw CancellationError() } else { $0 } } }, "-0--#") == [])
    // The end comes with the second arrival, or before the second cause.
    #expect(glitches({ $0.prefix(3) }, "-0--(10|)") == ["1"])
    #expect(glitches({ $0.prefix(1) }, "-(0|)") == [])
  }

  @Test func glitchOfAnEmitterThatEndsItsChainIsFound() {
    let glitches = findGlitches { m in
      let price = Emitter<Int>()
      m.at(.milliseconds(1)) { price.send(1) }
      m.at(.milliseconds(4)) { price.send(2) }
      let shared = price.signal.filter { $0 > 0 }.share()
      m.expect(shared.map { $0 * 10 }.combineLatest(shared.map { $0 }).map { $0 + $1 }.prefix(2), "-<11>--(<21>|)")
    }
    #expect(glitches.map(\.value) == ["<21>"])
  }

  /// The input that seems late gets no new value.
  @Test func endOfAChainWithoutAGlitchIsNone() {
    expectNoGlitches { m in
      let price = m.hot("-1--2--|", of: Int.self)
      m.expect(
        price.signal.combineLatest(price.signal.filter { $0 < 2 }).map { $0 * 10 + $1 }.prefix(2), "-<11>--(<21>|)")
    }
    expectNoGlitches { m in
      let price = m.hot("-1--2--|", of: Int.self)
      let cheap = price.signal.filter { $0 < 2 }.share()
      let any = Signal.merge(price.signal, cheap.map { $0 })
      m.expect(any.combineLatest(cheap.map { $0 }).map { $0 * 10 + $1 }.filter { $0 > 20 }.first(), "----(<21>|)")
    }
    expectNoGlitches { m in
      let price = m.cold("-1--2--|", of: Int.self)
      let later = price.signal.delay(for: .milliseconds(1), on: m.scheduler)
      m.expect(price.signal.combineLatest(later).map { $0 * 10 + $1 }.prefix(2), "--<11>-(<21>|)")
    }
  }

  @Test func assertionWithoutJoinsIsRejected() {
    let failures = heldFailures {
      expectNoGlitches(joins: []) { m in m.expect(m.hot("-1-|", of: Int.self).signal, "-1-|") }
    }
    #expect(
      failures.map(\.message) == [
        "joins: [] checks no operator. Leave it out, or name the operators that combine latest values."
      ])
  }

  @Test func theAssertionTellsThePaths() throws {
    let failures = heldFailures {
      expectNoGlitches { m in
        let price = m.hot("-1-2-3-|", of: Int.self)
        let tax = price.signal.map { $0 * 2 }
        m.expect(price.signal.combineLatest(tax).map { $0 + $1 }.suffix(1), "-------(9|)")
      }
    }
    // The plain test passes, and what it looks at is no glitch.
    #expect(failures.isEmpty)
    let seen = heldFailures {
      expectNoGlitches { m in
        let price = m.hot("-1-2-3-|", of: Int.self)
        let tax = price.signal.map { $0 * 2 }
        m.expect(price.signal.combineLatest(tax).map { $0 + $1 }, "-?-(??)-(??)-|")
      }
    }
    try #require(seen.count == 1)
    #expect(seen[0].message.contains("4 mixes a new input with an old one of the same cause, in combineLatest"))
    #expect(seen[0].message.contains("late   map GlitchTests.swift"))
    #expect(seen[0].message.contains("1 more glitch of 2"))
  }
}
