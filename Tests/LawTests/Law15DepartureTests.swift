import Probes
import Signals
import Testing

@Suite("Laws 7 and 15: subscribers that leave while values wait are cleaned up meanwhile")
struct Law15DepartureTests {
  @Test("a handler that sends on, subscribes and disposes keeps no more than a few closures alive", arguments: [0, 1])
  func nested(replay: Int) {
    let life = LifeCount()
    let emitter = Emitter<Int>(replay: replay)
    let most = Box(0)
    let subscription = emitter.signal.subscribe { value in
      for _ in 0..<4 {
        let visitor = emitter.signal.subscribe { [token = life.token()] _ in token.touch() }
        visitor.dispose()
      }
      most.withLock { $0 = max($0, life.alive) }
      if value < 2_000 { emitter.send(value + 1) }
    }
    emitter.send(0)
    #expect(most.value <= 16)
    #expect(life.alive == 0)
    #expect(emitter.sentCount == 2_001)
    withExtendedLifetime(subscription) {}
  }

  @Test("two senders that never leave the gate to each other, and a thread that comes and goes")
  func churn() {
    let life = LifeCount()
    let emitter = Emitter<Int>()
    let isOver = Box(false)
    // Not the most: the system may stop whoever delivers in the middle of a value, for as long as it likes.
    let least = Box(Int.max)
    let subscription = emitter.signal.subscribe { value in
      if value >= 50_000 { least.withLock { $0 = min($0, life.alive) } }
    }
    onThreads {
      for value in 0..<60_000 { emitter.send(value) }
      isOver.value = true
    } _: {
      for value in 0..<60_000 { emitter.send(value) }
    } _: {
      while !isOver.value {
        let visitor = emitter.signal.subscribe { [token = life.token()] _ in token.touch() }
        visitor.dispose()
      }
    }
    #expect(emitter.sentCount == 120_000)
    #expect(life.alive == 0)
    #expect(least.value < 1_000)
    withExtendedLifetime(subscription) {}
  }
}
