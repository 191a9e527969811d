import Dispatch
import Probes
import Signals
import Testing

@Suite("Queue schedulers")
struct DispatchQueueSchedulerTests {
  @Test("Law 14: order is kept, on serial and concurrent queues", arguments: [false, true])
  func order(isConcurrent: Bool) async {
    let queue = DispatchQueue(label: "test", attributes: isConcurrent ? .concurrent : [])
    let log = Journal<Int>()
    let emitter = Emitter<Int>()
    await withCheckedContinuation { continuation in
      emitter.signal.receive(on: .queue(queue)).subscribe(
        onValue: { log.append($0) }, onFinish: { continuation.resume() }
      ).retained()
      for value in 0..<1_000 { emitter.send(value) }
      emitter.finish()
    }
    #expect(log.entries == Array(0..<1_000))
  }

  @Test("delays, tolerances and cancellation", arguments: [nil, Duration.zero, .milliseconds(1), .seconds(Int64.max)])
  func delayed(tolerance: Duration?) async {
    let scheduler = DispatchQueueScheduler(qos: .default)
    let life = LifeCount()
    let token = Box<LifeCount.Token?>(life.token())
    let cancelled = scheduler.schedule(after: .seconds(Int64.max), tolerance: tolerance) { [token = token.value] in
      token?.touch()
      Issue.record("cancelled work ran")
    }
    token.value = nil
    cancelled.dispose()
    #expect(life.alive == 0)
    #expect(cancelled.isDisposed)
    let before = scheduler.now
    await withCheckedContinuation { continuation in
      _ = scheduler.schedule(after: .milliseconds(-1), tolerance: tolerance.map { min($0, .milliseconds(1)) }) {
        continuation.resume()
      }
    }
    #expect(scheduler.now >= before)
  }

  @Test("Law 14: both forms of the main queue keep the order")
  func main() async {
    for scheduler in [MainScheduler.main, .mainImmediate] {
      let log = Journal<Int>()
      let emitter = Emitter<Int>()
      await withCheckedContinuation { continuation in
        emitter.signal.receive(on: scheduler).subscribe(
          onValue: { log.append($0) }, onFinish: { continuation.resume() }
        ).retained()
        for value in 0..<100 { emitter.send(value) }
        emitter.finish()
      }
      #expect(log.entries == Array(0..<100))
    }
  }

  @Test("immediate: before schedule returns, delays ignored")
  func immediate() {
    let log = Journal<Int>()
    let scheduler = ImmediateScheduler()
    scheduler.schedule { log.append(1) }
    let work = scheduler.schedule(after: .seconds(5)) { log.append(2) }
    #expect(log.entries == [1, 2])
    #expect(work.isDisposed)
    #expect(scheduler.now == SchedulerInstant(sinceOrigin: .zero))
  }
}
