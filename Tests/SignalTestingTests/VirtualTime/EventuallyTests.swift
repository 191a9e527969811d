import Foundation
import SignalTesting
import Signals
import Synchronization
import Testing

@Suite("Waiting for a condition") struct EventuallyTests {
  private actor Counter {
    private(set) var count = 0
    func add() { count += 1 }
  }

  @Test("virtual time advances until the condition is met, and no further") func virtual() throws {
    try withVirtualTime { time in
      let counter = Counter()
      for number in 1...5 {
        Task {
          try await time.sleep(for: .seconds(number))
          for _ in 0..<10 { await Task.yield() }
          await counter.add()
        }
      }
      let start = time.now
      try await eventually(equals: 3) { await counter.count }
      #expect(start.duration(to: time.now) == .seconds(3))
      try await eventually { await counter.count > 4 }
      #expect(start.duration(to: time.now) == .seconds(5))
      // It is met already.
      try await eventually { true }
      #expect(start.duration(to: time.now) == .seconds(5))
    }
  }

  #if os(Linux)
    /// Such threads sleep until a time of which the scheduler does not know.
    @Test("a condition that a sleeping thread meets is met then", .enabled(if: replacesSystemTime), arguments: 0...3)
    func sleepingThread(_ kind: Int) throws {
      try withVirtualTime(systemTime: .virtual) { _ in
        let began = Date()
        let count = Count()
        let work: @Sendable () -> Void = {
          // Safe: virtual time; nothing sleeps.
          Thread.sleep(forTimeInterval: 1)
          count.add()
        }
        let queue = DispatchQueue(label: "test")
        switch kind {
        case 0: DispatchQueue.global().async(execute: work)
        case 1: queue.async(execute: work)
        case 2: Task.detached { work() }
        default: for _ in 1...5 { queue.async(execute: work) }
        }
        let wanted = kind == 3 ? 5 : 1
        try await eventually(equals: wanted) { count.value }
        #expect(Date().timeIntervalSince(began) == TimeInterval(wanted))
      }
    }

    @Test("the limit counts while a thread sleeps", .enabled(if: replacesSystemTime)) func limitBesideASleepingThread()
    {
      let issues = issuesOf {
        try? withVirtualTime(systemTime: .virtual) { _ in
          let count = Count()
          let queue = DispatchQueue(label: "test")
          for _ in 1...5 {
            queue.async {
              // Safe: virtual time; nothing sleeps.
              Thread.sleep(forTimeInterval: 1)
              count.add()
            }
          }
          try await eventually(equals: 5, within: .milliseconds(2_500)) { count.value }
        }
      }
      let messages = issues.compactMap { $0.comments.first?.rawValue }
      #expect(
        messages.first == "eventually got 2 instead of 5 within 2.5 s of virtual time.", "\(messages)")
    }

    private final class Count: Sendable {
      private let count = Mutex(0)
      var value: Int { count.withLock { $0 } }
      func add() { count.withLock { $0 += 1 } }
    }
  #endif

  @Test("a condition that is met too late fails") func lateCondition() {
    let issues = issuesOf {
      for isValue in [false, true] {
        try? withVirtualTime { time in
          let isMet: @Sendable () async throws -> Bool = {
            try await time.sleep(for: .seconds(3))
            return time.now.sinceOrigin >= .seconds(9)
          }
          if isValue {
            try await eventually(equals: true, within: .seconds(5), isMet)
          } else {
            try await eventually(within: .seconds(5), isMet)
          }
        }
      }
    }
    #expect(
      issues.compactMap { $0.comments.first?.rawValue } == [
        "The condition of eventually was not met within 5 s of virtual time: its evaluation took until 9 s.",
        "eventually got true, but not within 5 s of virtual time: its evaluation took until 9 s.",
      ])
    let late = issuesOf {
      try? withVirtualTime { time in
        try await eventually(equals: 1, within: .seconds(5)) {
          try await time.sleep(for: .seconds(20))
          return 1
        }
      }
    }
    #expect(
      late.compactMap { $0.comments.first?.rawValue } == [
        "eventually got 1, but not within 5 s of virtual time: its evaluation took until 20 s."
      ])
  }

  @Test("work that runs while the condition waits for an actor counts") func actorInTheCondition() throws {
    try withVirtualTime { time in
      let counter = Counter()
      let start = time.now
      Task { await counter.add() }
      try await eventually(equals: 1) { await counter.count }
      #expect(time.now == start)
    }
  }

  #if os(Linux)
    @Test("a thread that sleeps is waited for", .enabled(if: replacesSystemTime), .virtualTime) func blockedThread()
      async throws
    {
      let count = Property(0)
      DispatchQueue.global().async {
        // Safe: it sleeps in virtual time.
        Thread.sleep(forTimeInterval: 5)
        count.value = 1
      }
      try await eventually(equals: 1) { count.value }
    }
  #endif

  @Test("a wait beyond the limit fails with the last value") func limit() {
    let message = failure(offset: 10) {
      try? withVirtualTime { time in
        let counter = Counter()
        let ticks = Task {
          while !Task.isCancelled {
            try await time.sleep(for: .seconds(1))
            await counter.add()
          }
        }
        defer { ticks.cancel() }
        try await eventually(equals: -1, within: .seconds(4)) { await counter.count }
      }
    }
    #expect(message.contains("eventually got 4 instead of -1 within 4 s of virtual time."), "\(message)")
  }

  @Test("a condition that reads the clock is asked at the limit, whatever comes later") func clockAtTheLimit() throws {
    try withVirtualTime { time in
      let later = Task { try await time.sleep(for: .seconds(100)) }
      defer { later.cancel() }
      try await eventually(within: .seconds(5)) { time.now.sinceOrigin >= .seconds(4) }
      #expect(time.now.sinceOrigin == .seconds(5))
    }
  }

  @Test("a wait for which nothing is scheduled fails at once") func nothingLeft() {
    let message = failure(offset: 3) {
      try? withVirtualTime { time in
        try await time.sleep(for: .seconds(2))
        try await eventually { false }
      }
    }
    #expect(
      message.contains(
        "The condition of eventually was not met after 2 s of virtual time, and nothing is scheduled that could change it."
      ),
      "\(message)")
  }

  @Test("in real time the condition is polled") func real() async throws {
    let counter = Counter()
    let others = Task.detached { for _ in 0..<3 { await counter.add() } }
    try await eventually(equals: 3, within: .seconds(300)) { await counter.count }
    await others.value
    await withKnownIssue {
      do { try await eventually(equals: 4, within: .milliseconds(20)) { await counter.count } } catch {}
    } matching: {
      "\($0)".contains("eventually got 3 instead of 4 within 20 ms.")
    }
  }
}
