import SignalInspector
import Signals

/// What is bought, and what it costs.
final class Cart: Sendable {
  let count = Property(0)
  /// The price of all with the tax.
  let total: Signal<Int>

  init() {
    let net = count.map { $0 * 100 }
    let tax = count.map { $0 * 20 }
    total = net.combined(with: tax).signal.map { $0 + $1 }.named("total")
  }
}

@main
struct ShoppingCart {
  static func main() async throws {
    try await SignalInspector.start()
    let bag = DisposeBag()
    let cart = Cart()
    cart.total.dropFirst().subscribe { print("  to pay: \($0)") }.store(in: bag)
    for count in 1... {
      print("bought: \(count)")
      cart.count.value = count
      try await Task.sleep(for: .milliseconds(200))
    }
  }
}
