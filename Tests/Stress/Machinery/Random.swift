import SignalTesting
import Synchronization

/// Random numbers that are the same for the same seed, and what is chosen with them.
struct Random: RandomNumberGenerator {
  private var numbers: SplitMix

  init(seed: UInt64) { numbers = SplitMix(seed: seed) }

  mutating func next() -> UInt64 { numbers.next() }

  /// A number from 0 to below a bound; 0 if there is none.
  mutating func below(_ bound: Int) -> Int { bound <= 1 ? 0 : Int.random(in: 0..<bound, using: &self) }

  /// True once in so many times.
  mutating func once(in times: Int) -> Bool { below(times) == 0 }

  mutating func pick<Element>(_ elements: [Element]) -> Element { elements[below(elements.count)] }

  /// How long to wait before something, so that threads that started together meet at different places: mostly short.
  mutating func jitter() -> Int { below(1 << below(11)) }
}

/// Lets a little time pass without giving the processor away.
func spin(_ steps: Int) {
  for _ in 0..<steps { _ = idleWord.load(ordering: .acquiring) }
}

/// Read to pass the time: the optimiser may not leave that out.
private let idleWord = Atomic<Int>(0)
