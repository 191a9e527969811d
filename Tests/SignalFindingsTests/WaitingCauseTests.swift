import SignalGraph
import SignalRecording
import Signals
import Synchronization
import Testing

/// Each value that had to wait in an operator, or whose work took some time there, goes back to the send that it comes from.
@Suite("causes of values that wait in an operator") struct WaitingCauseTests {
  private let bag = DisposeBag()
  private let recorder = GraphRecorder()
  private let scheduler = VirtualTimeScheduler()

  /// Sends some numbers through an operator, and says for each value that comes out which send it goes back to: the first, the second, ...; 0 for none.
  private func sends(
    _ numbers: [Int], before: Int = 0, _ make: (Signal<Int>) -> Signal<Int>
  ) throws -> (values: [Int], sends: [Int]) {
    let values = Recorded()
    let source = recorder.record { Emitter<Int>() }
    recorder.record {
      make(source.signal.named("source").map { $0 }).named("end").subscribe { values.add($0) }.store(in: bag)
    }
    for number in numbers.prefix(before) { source.send(number) }
    recorder.traceHandlers(true)
    for number in numbers.dropFirst(before) { source.send(number) }
    try scheduler.advance(by: .milliseconds(500))
    let nodes = recorder.snapshot().nodes
    let known = nodes.first { $0.name == "source" }?.causes?.map(\.number) ?? []
    let beginnings = nodes.flatMap { $0.causes ?? [] }.filter { $0.origin != nil }
    let found = nodes.first { $0.name == "end" }?.causes?.map { cause in
      var number = cause.number
      while !known.contains(number), let parent = beginnings.first(where: { $0.number == number })?.parent {
        number = parent
      }
      return known.firstIndex(of: number).map { before + $0 + 1 } ?? 0
    }
    return (values.all, found ?? [])
  }

  /// Takes 20 milliseconds for 1, 15 for 2, 10 for 3, 5 for 4.
  private var slow: @Sendable (Int) async throws -> Int {
    { [scheduler] number in
      try await scheduler.sleep(for: .milliseconds(5 * (5 - number)))
      return number
    }
  }

  @Test func mapAsyncOneAtATime() throws {
    let came = try sends([1, 2, 3, 4]) { $0.mapAsync(executor: scheduler, slow) }
    #expect(came.values == [1, 2, 3, 4])
    #expect(came.sends == [1, 2, 3, 4])
  }

  @Test func mapAsyncInOrder() throws {
    let came = try sends([1, 2, 3, 4]) { $0.mapAsync(maxConcurrent: 4, executor: scheduler, slow) }
    #expect(came.values == [1, 2, 3, 4])
    #expect(came.sends == [1, 2, 3, 4])
  }

  @Test func mapAsyncInOrderWithAQueue() throws {
    let came = try sends([1, 2, 3, 4]) { $0.mapAsync(maxConcurrent: 2, executor: scheduler, slow) }
    #expect(came.values == [1, 2, 3, 4])
    #expect(came.sends == [1, 2, 3, 4])
  }

  @Test func mapAsyncAsItComes() throws {
    let came = try sends([1, 2, 3, 4]) {
      $0.mapAsync(maxConcurrent: 2, keepsOrder: false, executor: scheduler, slow)
    }
    #expect(came.values.sorted() == [1, 2, 3, 4])
    #expect(came.sends == came.values)
  }

  @Test func whatTheClosureOfMapAsyncSends() throws {
    let inside = Emitter<Int>()
    let slow = slow
    let came = try sends([1, 2, 3, 4]) { source in
      source.mapAsync(executor: scheduler) { number in
        inside.send(number)
        return try await slow(number)
      }
      .subscribe { _ in }.store(in: bag)
      return inside.signal.map { $0 }
    }
    #expect(came.values == [1, 2, 3, 4])
    #expect(came.sends == [1, 2, 3, 4])
  }

  @Test func mapAsyncAfterTracingBegan() throws {
    // What waited before is not said to come from what came later.
    let came = try sends([1, 2, 3, 4], before: 2) { $0.mapAsync(executor: scheduler, slow) }
    #expect(came.values == [1, 2, 3, 4])
    #expect(came.sends == [0, 0, 3, 4])
  }

  @Test func mapAsyncInOrderAfterTracingBegan() throws {
    let came = try sends([1, 2, 3, 4], before: 2) { $0.mapAsync(maxConcurrent: 4, executor: scheduler, slow) }
    #expect(came.values == [1, 2, 3, 4])
    #expect(came.sends == [0, 0, 3, 4])
  }

  @Test func concatMapOfTimers() throws {
    let came = try sends([1, 2, 3, 4]) {
      $0.concatMap { [scheduler] number in Signal.timer(after: .milliseconds(5), on: scheduler).map { _ in number } }
    }
    #expect(came.values == [1, 2, 3, 4])
    #expect(came.sends == [1, 2, 3, 4])
  }

  @Test func concatMapOfTasks() throws {
    let slow = slow
    let came = try sends([1, 2, 3, 4]) {
      $0.concatMap { [scheduler] number in Signal.async(executor: scheduler) { try await slow(number) } }
    }
    #expect(came.values == [1, 2, 3, 4])
    #expect(came.sends == [1, 2, 3, 4])
  }

  @Test func flatMapOfTwoAtATime() throws {
    let came = try sends([1, 2, 3, 4]) {
      $0.flatMap(maxConcurrent: 2) { [scheduler] number in
        Signal.timer(after: .milliseconds(5), on: scheduler).map { _ in number }
      }
    }
    #expect(came.values == [1, 2, 3, 4])
    #expect(came.sends == [1, 2, 3, 4])
  }

  @Test func flatMapOfWhatComesAtOnce() throws {
    // The first keeps the others waiting; these deliver while they are being connected.
    let came = try sends([1, 2, 3, 4]) {
      $0.flatMap(maxConcurrent: 1) { [scheduler] number in
        number == 1
          ? Signal.timer(after: .milliseconds(5), on: scheduler).map { _ in number } : Signal.just(number).map { $0 }
      }
    }
    #expect(came.values == [1, 2, 3, 4])
    #expect(came.sends == [1, 2, 3, 4])
  }

  @Test func whatTheClosureOfConcatMapSends() throws {
    let inside = Emitter<Int>()
    let came = try sends([1, 2, 3, 4]) { source in
      source.concatMap { [scheduler] number in
        inside.send(number)
        return Signal.timer(after: .milliseconds(5), on: scheduler)
      }
      .subscribe { _ in }.store(in: bag)
      return inside.signal.map { $0 }
    }
    #expect(came.values == [1, 2, 3, 4])
    #expect(came.sends == [1, 2, 3, 4])
  }

  @Test func concatMapAfterTracingBegan() throws {
    let came = try sends([1, 2, 3, 4], before: 2) {
      $0.concatMap { [scheduler] number in Signal.timer(after: .milliseconds(5), on: scheduler).map { _ in number } }
    }
    #expect(came.values == [1, 2, 3, 4])
    #expect(came.sends == [0, 0, 3, 4])
  }
}

/// The values that came.
private final class Recorded: Sendable {
  private let values = Mutex<[Int]>([])

  func add(_ value: Int) { values.withLock { $0.append(value) } }

  var all: [Int] { values.withLock { $0 } }
}
