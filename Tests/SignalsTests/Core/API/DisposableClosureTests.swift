import Probes
import Signals
import Testing

/// A closure that can be taken back.
@Suite("DisposableClosure")
struct DisposableClosureTests {
  @Test("it is called until it is disposed; then what it captured is freed")
  func content() {
    let lives = LifeCount()
    let bag = DisposeBag()
    let token = lives.token()
    let double = DisposableClosure { [token] (number: Int) in
      token.touch()
      return number * 2
    }
    double.store(in: bag)
    withExtendedLifetime(token) {}
    #expect(double(3) == 6)
    bag.disposeAll()
    #expect(double(3) == nil && double.isDisposed)
    double.dispose()
  }

  @Test("the shell keeps nothing")
  func freed() {
    let lives = LifeCount()
    let closure = { [token = lives.token()] in DisposableClosure { token.touch() } }()
    closure()
    #expect(lives.alive == 1)
    closure.dispose()
    #expect(lives.alive == 0)
    closure()
  }

  @Test("a closure may dispose itself, and free what calls it again (law 4)")
  func inside() {
    let lives = LifeCount()
    let itself = Box<DisposableClosure<Int, Int>?>(nil)
    itself.value = DisposableClosure { [token = lives.token()] number in
      itself.value?.dispose()
      token.touch()
      return number
    }
    #expect(itself.value?(1) == 1)
    #expect(itself.value?(1) == nil)
    #expect(lives.alive == 0)
    itself.value = nil
  }

  @Test("nothing begins after dispose has returned, on whichever thread (law 7)")
  func racing() {
    for _ in 0..<500 {
      let calls = Box(0)
      let closure = DisposableClosure { calls.withLock { $0 += 1 } }
      let afterwards = Box(0)
      onThreads {
        for _ in 0..<20 { closure() }
      } _: {
        closure.dispose()
        afterwards.value = closure() == nil ? 1 : 0
      }
      #expect(afterwards.value == 1)
    }
  }
}
