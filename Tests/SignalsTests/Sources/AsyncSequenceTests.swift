import Probes
import SignalTesting
import Signals
import Testing

/// Delivers the elements of an asynchronous sequence.
@Suite("asyncSequence")
struct AsyncSequenceTests {
  /// Reads the elements of a signal, and counts the loops that were cancelled.
  private struct Numbers: AsyncSequence, Sendable {
    let scheduler: VirtualTimeScheduler
    let cancelled: Box<Int>
    var failsAfter = Int.max

    struct Iterator: AsyncIteratorProtocol {
      let numbers: Numbers
      var last = 0

      mutating func next() async throws -> Int? {
        if last == numbers.failsAfter { throw Probes.Failure(number: last) }
        do { try await numbers.scheduler.sleep(for: .milliseconds(2)) } catch {
          numbers.cancelled.withLock { $0 += 1 }
          throw error
        }
        last += 1
        return last > 3 ? nil : last
      }
    }

    func makeAsyncIterator() -> Iterator { Iterator(numbers: self) }
  }

  @Test("the elements and the end, for each subscription")
  func values() {
    marbles { m in
      let numbers = Signal.asyncSequence(
        Numbers(scheduler: m.scheduler, cancelled: Box(0)), executor: m.scheduler)
      m.expect(numbers, "--1-2-3-|")
      m.expect(numbers, "---1-2-3-|", subscription: "-^")
    }
  }

  @Test("Law 11: what the sequence throws fails it")
  func failure() {
    marbles { m in
      let numbers = Signal.asyncSequence(
        Numbers(scheduler: m.scheduler, cancelled: Box(0), failsAfter: 2), executor: m.scheduler)
      m.expect(numbers, "--1-(2#)", error: Failure(number: 2))
    }
  }

  @Test("Laws 7 and 9: the loop is cancelled when the subscriber leaves or has had enough")
  func disposal() throws {
    let scheduler = VirtualTimeScheduler()
    let cancelled = Box(0)
    let log = EventLog<Int>()
    let numbers = Signal.asyncSequence(Numbers(scheduler: scheduler, cancelled: cancelled), executor: scheduler)
    let left = numbers.log(to: log)
    try scheduler.advance(by: .milliseconds(3))
    left.dispose()
    try scheduler.run()
    #expect(log.events == [.value(1)])
    #expect(cancelled.value == 1)
    let enough = numbers.prefix(1).log(to: log)
    try scheduler.run()
    #expect(log.events == [.value(1), .value(1), .finished])
    enough.dispose()
  }

  @Test("a handler that is slow holds the loop up: nothing waits")
  func backPressure() throws {
    let scheduler = VirtualTimeScheduler()
    let read = Box(0)
    let subscription = Box<Subscription?>(nil)
    let elements = AsyncStream { () -> Int in
      read.withLock { read in
        read += 1
        return read
      }
    }
    subscription.value = Signal.asyncSequence(elements, executor: scheduler).prefix(3).subscribe { number in
      #expect(read.value == number)
    }
    try scheduler.run()
    #expect(read.value == 3)
  }

  @Test("there and back again: values() of a signal")
  func roundTrip() {
    marbles { m in
      let letters = m.hot("-a-bc-d|")
      m.expect(
        Signal.asyncSequence(letters.signal.values(), executor: m.scheduler),
        "                  -a-bc-d|")
    }
  }
}
