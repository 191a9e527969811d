import SignalTesting
import Signals
import Testing

@testable import ShoppingCartMended

@Test func eachChangeGivesOneTotal() {
  expectNoGlitches { m in
    let cart = Cart()
    m.at(.milliseconds(2)) { cart.count.value = 1 }
    m.at(.milliseconds(4)) { cart.count.value = 2 }
    m.expect(cart.total, "{a}--b-c", values: ["a": 0, "b": 120, "c": 240])
  }
}
