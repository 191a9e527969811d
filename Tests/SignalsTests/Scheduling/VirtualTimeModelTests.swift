import Probes
import Signals
import Testing

/// Compares the queue of virtual time with a list that is searched for its least element.
@Suite("virtual time against a plain list")
struct VirtualTimeModelTests {
  private struct Numbers {
    var state: UInt64
    mutating func next(_ limit: Int) -> Int {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int((state >> 33) % UInt64(limit))
    }
  }

  private struct Entry {
    var time: Int
    var phase: Int
    var sequence: Int
    var number: Int
  }

  /// Runs the same programme on a list.
  private struct List {
    var now = 0
    var entries: [Entry] = []

    var sequence = 0

    mutating func schedule(_ number: Int, after delay: Int, phase: Int) {
      sequence += 1
      entries.append(Entry(time: now + delay, phase: phase, sequence: sequence, number: number))
    }

    mutating func cancel(_ number: Int) { entries.removeAll { $0.number == number } }

    mutating func advance(to target: Int, _ run: (inout List, Int) -> Void) {
      while let next = takeNext(until: target) { run(&self, next) }
    }

    private mutating func takeNext(until limit: Int) -> Int? {
      let first = entries.indices.min { left, right in
        let (left, right) = (entries[left], entries[right])
        return (left.time, left.phase, left.sequence) < (right.time, right.phase, right.sequence)
      }
      guard let first, entries[first].time <= limit else { return nil }
      now = entries[first].time
      return entries.remove(at: first).number
    }
  }

  @Test("same order, whatever is scheduled, cancelled and advanced, also from inside work", arguments: 0..<20)
  func order(seed: Int) throws {
    let scheduler = VirtualTimeScheduler()
    if seed % 4 == 3 { scheduler.setChooser { _ in 0 } }
    var numbers = Numbers(state: UInt64(seed) + 99)
    let ran = Journal<Int>()
    let works = Box<[Int: any Disposable]>([:])
    var list = List()
    var expected: [Int] = []
    let phases: [VirtualTimeScheduler.Phase] = [.test, .hotSource, .work]
    var count = 0

    // Work cancels another and schedules one more, both decided by its number alone.
    @Sendable func follower(_ number: Int) -> (delay: Int, cancelled: Int)? {
      number % 3 == 0 && number < 1_000_000 ? (number % 11, number / 2 + number % 5) : nil
    }
    let run: @Sendable (Int) -> Void = { number in
      ran.append(number)
      guard let follow = follower(number) else { return }
      works.value[follow.cancelled]?.dispose()
      let work = scheduler.schedule(after: .milliseconds(follow.delay)) { ran.append(number + 1_000_000) }
      works.withLock { $0[number + 1_000_000] = work }
    }
    let runListed: (inout List, Int) -> Void = { list, number in
      expected.append(number)
      guard let follow = follower(number) else { return }
      list.cancel(follow.cancelled)
      list.schedule(number + 1_000_000, after: follow.delay, phase: 2)
    }

    for _ in 0..<800 {
      switch numbers.next(20) {
      case 0..<13:
        let number = count
        count += 1
        let (delay, phase) = (numbers.next(60), numbers.next(3))
        let moment = scheduler.now.advanced(by: .milliseconds(delay))
        let work = scheduler.schedule(at: moment, phase: phases[phase]) { run(number) }
        works.withLock { $0[number] = work }
        list.schedule(number, after: delay, phase: phase)
      case 13..<19:
        let number = numbers.next(max(1, count))
        works.value[number]?.dispose()
        list.cancel(number)
      default:
        let step = numbers.next(20)
        try scheduler.advance(by: .milliseconds(step))
        let target = list.now + step
        list.advance(to: target, runListed)
        list.now = target
      }
      #expect(ran.entries.count == expected.count && scheduler.pendingCount == list.entries.count)
    }
    try scheduler.run()
    list.advance(to: .max, runListed)
    #expect(ran.entries == expected)
    #expect(expected.count > 300 && ran.entries.count == scheduler.ranCount && scheduler.pendingCount == 0)
  }
}
