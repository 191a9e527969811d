#if os(Linux)
  @preconcurrency import Dispatch
  import Foundation
  import SignalTesting
  import Signals
  import Testing

  /// Queues that share a target, and `sync`.
  @Suite("System time: targets of queues, and sync", .enabled(if: replacesSystemTime)) struct SystemQueueTargetTests {
    private static func queues() -> (first: DispatchQueue, second: DispatchQueue) {
      let base = DispatchQueue(label: "base")
      return (DispatchQueue(label: "first", target: base), DispatchQueue(label: "second", target: base))
    }

    @Test("queues with one target never run at once", .virtualTime) func commonTarget() async {
      let (first, second) = Self.queues()
      let start = ContinuousClock.now
      await withCheckedContinuation { continuation in
        // Safe: it sleeps in virtual time.
        first.async { Thread.sleep(forTimeInterval: 1) }
        second.async { continuation.resume() }
      }
      #expect(start.duration(to: .now) == .seconds(1))
    }

    @Test("also if the target is set later, and over two steps", .virtualTime) func laterTarget() async {
      let (first, second) = Self.queues()
      let third = DispatchQueue(label: "third", attributes: .initiallyInactive)
      third.setTarget(queue: second)
      third.activate()
      let start = ContinuousClock.now
      await withCheckedContinuation { continuation in
        // Safe: it sleeps in virtual time.
        first.async { Thread.sleep(forTimeInterval: 1) }
        third.async { continuation.resume() }
      }
      #expect(start.duration(to: .now) == .seconds(1))
    }

    @Test("queues whose target is concurrent may", .virtualTime) func concurrentTarget() async {
      for base in [DispatchQueue.global(), DispatchQueue(label: "base", attributes: .concurrent)] {
        let first = DispatchQueue(label: "first", target: base)
        let second = DispatchQueue(label: "second", target: base)
        let start = ContinuousClock.now
        await withCheckedContinuation { continuation in
          // Safe: it sleeps in virtual time.
          first.async { Thread.sleep(forTimeInterval: 1) }
          second.async { continuation.resume() }
        }
        #expect(start.duration(to: .now) == .zero)
      }
    }

    @Test("a concurrent queue with a serial target is serial", .virtualTime, arguments: [false, true])
    func concurrentOnSerial(isSetLater: Bool) async {
      let base = DispatchQueue(label: "base")
      let queue = DispatchQueue(
        label: "queue", attributes: [.concurrent, .initiallyInactive], target: isSetLater ? nil : base)
      if isSetLater { queue.setTarget(queue: base) }
      queue.activate()
      let start = ContinuousClock.now
      await withCheckedContinuation { continuation in
        // Safe: it sleeps in virtual time.
        base.async { Thread.sleep(forTimeInterval: 1) }
        queue.async { continuation.resume() }
      }
      #expect(start.duration(to: .now) == .seconds(1))
    }

    @Test("two signals hop to queues with one target", .virtualTime) func hops() async throws {
      let base = DispatchQueue(label: "base")
      let source = Emitter<Int>()
      let order = Property<[String]>([])
      let slow = source.signal.receive(on: .queue(base)).subscribe { value in
        // Safe: it sleeps in virtual time.
        Thread.sleep(forTimeInterval: 1)
        order.update { $0.append("slow \(value)") }
      }
      let quick = source.signal.receive(on: .queue(base)).subscribe { value in
        order.update { $0.append("quick \(value)") }
      }
      source.send(1)
      try await Task.sleep(for: .seconds(5))
      #expect(order.value == ["slow 1", "quick 1"])
      slow.dispose()
      quick.dispose()
    }

    @Test("sync on the main queue from a task and from a queue", .virtualTime) func mainSync() async {
      let result = await Task.detached {
        DispatchQueue.main.sync { () -> Int in
          dispatchPrecondition(condition: .onQueue(.main))
          return MainActor.assumeIsolated { 42 }
        }
      }.value
      #expect(result == 42)
      let isOnMain = await withCheckedContinuation { continuation in
        DispatchQueue.global().async {
          let isMain = DispatchQueue.main.sync { () -> Bool in
            dispatchPrecondition(condition: .onQueue(.main))
            return true
          }
          continuation.resume(returning: isMain)
        }
      }
      #expect(isOnMain)
    }

    @Test("sync runs behind what was submitted before, and others wait for it", .virtualTime) func order() async throws
    {
      let queue = DispatchQueue(label: "queue")
      let order = Property<[Int]>([])
      queue.async { order.update { $0.append(1) } }
      queue.sync {
        order.update { $0.append(2) }
        queue.async { order.update { $0.append(4) } }
        // Safe: it sleeps in virtual time.
        Thread.sleep(forTimeInterval: 1)
        order.update { $0.append(3) }
      }
      try await Task.sleep(for: .seconds(1))
      #expect(order.value == [1, 2, 3, 4])
      // A concurrent queue may be entered twice.
      let concurrent = DispatchQueue(label: "concurrent", attributes: .concurrent)
      #expect(concurrent.sync { concurrent.sync { 3 } } == 3)
    }

    @Test("a thread sleeps until a date whose fraction is rounded", .virtualTime) func threadDates() async {
      func sleep(_ seconds: Double) {
        // Safe: it sleeps in virtual time.
        Thread.sleep(until: Date().addingTimeInterval(seconds))
      }
      let start = Date()
      for seconds in [0.1, 0.3, 0.7, 2.2, 33.3] { sleep(seconds) }
      #expect(Date().timeIntervalSince(start) >= 36.599)
    }

    @Test("two queues that wait for each other fail the test") func deadlock() throws {
      let message = failure(offset: 1) {
        try? withVirtualTime(systemTime: .virtual) { time in
          let (a, b) = (DispatchQueue(label: "a"), DispatchQueue(label: "b"))
          a.async { b.sync {} }
          b.async { a.sync {} }
          try await time.sleep(for: .seconds(1))
        }
      }
      #expect(message.contains("a queue, with `sync`"), "\(message)")
    }
  }
#endif
