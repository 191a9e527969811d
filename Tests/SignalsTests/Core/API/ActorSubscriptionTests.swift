import Signals
import Testing

/// Counts up, and tells when it has seen enough.
private actor Total {
  private(set) var numbers: [Int] = []
  private var subscription: Subscription?
  private var isOver = false
  private(set) var late = 0
  private var waiter: (count: Int, continuation: CheckedContinuation<Void, Never>)?

  func watch(_ signal: Signal<Int>) {
    subscription = signal.subscribe(onActor: self) { total, number in total.take(number) }
  }

  private func take(_ number: Int) {
    if isOver { late += 1 }
    numbers.append(number)
    guard let waiter, waiter.count <= numbers.count else { return }
    self.waiter = nil
    waiter.continuation.resume()
  }

  func wait(for count: Int) async {
    if numbers.count >= count { return }
    await withCheckedContinuation { waiter = (count, $0) }
  }

  func dispose() {
    subscription?.dispose()
    isOver = true
  }
}

/// Subscriptions whose closures belong to an actor.
@Suite("subscribe(onActor:)", .timeLimit(.minutes(20)))
struct ActorSubscriptionTests {
  @Test("Law 14: values come on the actor, in the order in which they were sent, after send")
  func order() async {
    let (total, numbers) = (Total(), Emitter<Int>())
    await total.watch(numbers.signal)
    for number in 0..<10_000 { numbers.send(number) }
    await total.wait(for: 10_000)
    #expect(await total.numbers == Array(0..<10_000))
  }

  private final class Token: Sendable {
    func touch() {}
  }

  @Test func valueAfterTheActorIsDeallocatedFreesTheChain() async {
    let numbers = Emitter<Int>()
    weak var chain: Token?
    do {
      var total: Total? = Total()
      let token = Token()
      chain = token
      if let total { numbers.signal.subscribe(onActor: total) { _, _ in token.touch() } }
      total = nil
    }
    #expect(chain != nil)
    numbers.send(1)
    // The value is brought to the actor by a task.
    while chain != nil { await Task.yield() }
  }

  @Test("Law 3: senders on several threads: each value comes once")
  func senders() async {
    let (total, numbers) = (Total(), Emitter<Int>())
    await total.watch(numbers.signal)
    await withTaskGroup(of: Void.self) { group in
      for sender in 0..<4 {
        group.addTask { for index in 0..<1_000 { numbers.send(sender * 1_000 + index) } }
      }
    }
    await total.wait(for: 4_000)
    #expect(await total.numbers.sorted() == Array(0..<4_000))
  }

  @Test("Law 7: once dispose() has returned on the actor, nothing comes")
  func disposalRace() async {
    for _ in 0..<300 {
      let (total, numbers) = (Total(), Emitter<Int>())
      await total.watch(numbers.signal)
      let sender = Task.detached { for number in 0..<50 { numbers.send(number) } }
      await total.dispose()
      await sender.value
      #expect(await total.late == 0)
      #expect(numbers.subscriberCount == 0)
    }
  }

  @Test("the actor is held weakly, and the subscription ends with it")
  func lifetime() async {
    let numbers = Emitter<Int>()
    var total: Total? = Total()
    await total?.watch(numbers.signal)
    numbers.send(1)
    await total?.wait(for: 1)
    weak let gone = total
    total = nil
    // The task that delivered may still be letting go of it.
    while gone != nil { await Task.yield() }
    numbers.send(2)
    #expect(numbers.subscriberCount == 0)
  }

  @Test("the main actor is an actor too")
  func mainActor() async throws {
    let numbers = Emitter<Int>()
    let seen = numbers.signal.values()
    var iterator = seen.makeAsyncIterator()
    let echo = Emitter<Int>()
    var echoed = echo.signal.values().makeAsyncIterator()
    numbers.signal.subscribe(onActor: MainActor.shared) { _, number in
      MainActor.assertIsolated()
      echo.send(number)
    }
    numbers.send(1)
    #expect(try await iterator.next() == 1)
    #expect(try await echoed.next() == 1)
    numbers.finish()
  }
}
