import Foundation
import Signals
import Testing

@testable import SignalTesting

private struct OutOfOrder: Error {}

private actor Ledger {
  private(set) var entries: [Int] = []

  func add(_ entry: Int, after delay: Duration, on time: VirtualTimeScheduler) async throws {
    try await time.sleep(for: delay)
    entries.append(entry)
  }
}

/// What the letters of an order stand for where tasks run.
@Suite(.enabled(if: TaskHooks.areThere)) struct LegendOfTasksTests {
  private func legend(of failures: [FailureCapture.Failure]) -> [String] {
    let lines = failures.first?.message.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) } ?? []
    return lines.filter { $0.dropFirst().hasPrefix(" = ") }
  }

  @Test func childTasksAndTheScenario() {
    let line = #line
    let failures = heldFailures {
      exploreInterleavings(ofTask: { time in
        let order = Property<[Int]>([])
        await withTaskGroup { group in
          for number in 0..<2 { group.addTask { order.update { $0.append(number) } } }
        }
        if order.value != [0, 1] { throw OutOfOrder() }
      })
    }
    #expect(
      legend(of: failures) == [
        "a = task 1 starts \(place(line + 5, "childTasksAndTheScenario"))",
        "b = task 2 starts \(place(line + 5, "childTasksAndTheScenario"))",
        "c = the scenario resumes \(place(line + 4, "childTasksAndTheScenario"))",
        "d = the scenario resumes \(place(line + 4, "childTasksAndTheScenario"))",
      ])
  }

  @Test func tasksAndTheirSleeps() {
    let line = #line
    let failures = heldFailures {
      exploreInterleavings { time in
        let order = Property<[Int]>([])
        for number in 0..<2 {
          Task {
            try await time.sleep(for: .seconds(1))
            order.update { $0.append(number) }
          }
        }
        try time.run()
        if order.value != [0, 1] { throw OutOfOrder() }
      }
    }
    let (start, sleep) = (place(line + 5, "tasksAndTheirSleeps"), place(line + 6, "tasksAndTheirSleeps"))
    #expect(
      legend(of: failures) == [
        "a = task 1 starts \(start)", "b = task 2 starts \(start)",
        "c = the sleep of task 1 ends \(sleep)", "d = the sleep of task 2 ends \(sleep)",
        "e = task 1 resumes \(sleep)", "f = task 2 resumes \(sleep)",
      ])
  }

  @Test func workOfDispatchQueues() {
    let failures = heldFailures {
      exploreInterleavings(
        systemTime: .virtual,
        ofTask: { _ in
          let order = Property<[Int]>([])
          DispatchQueue(label: "first").async { order.update { $0.append(0) } }
          DispatchQueue.global().async { order.update { $0.append(1) } }
          try await Task.sleep(for: .seconds(1))
          if order.value != [0, 1] { throw OutOfOrder() }
        })
    }
    // Libdispatch has no frame pointers, so where the work was submitted is not known.
    #expect(legend(of: failures).prefix(2) == ["a = work of the queue `first`", "b = work of a dispatch queue"])
  }

  @Test func scheduledWork() {
    let line = #line
    let failures = heldFailures {
      exploreInterleavings { time in
        let order = Property<[Int]>([])
        for number in 0..<2 {
          time.schedule { order.update { $0.append(number) } }
        }
        try time.run()
        if order.value != [0, 1] { throw OutOfOrder() }
      }
    }
    let call = "scheduled by the scenario \(place(line + 5, "scheduledWork"))"
    #expect(legend(of: failures) == ["a = \(call)", "b = \(call)"])
  }

  /// An actor that others wait for: who called it is named too.
  @Test func actorsAndTheirCallers() {
    let line = #line
    let failures = heldFailures {
      exploreInterleavings(ofTask: { time in
        let ledger = Ledger()
        async let one: Void = ledger.add(1, after: .seconds(1), on: time)
        async let other: Void = ledger.add(2, after: .seconds(1), on: time)
        _ = try await (one, other)
        if await ledger.entries != [1, 2] { throw OutOfOrder() }
      })
    }
    #expect(
      legend(of: failures).prefix(4) == [
        "a = task 1 starts \(place(line + 4, "actorsAndTheirCallers"))",
        "b = task 2 starts \(place(line + 5, "actorsAndTheirCallers"))",
        "c = an actor resumes, scheduled by a",
        "d = task 1 resumes LegendOfTasksTests.swift:13, in Ledger.add(_:after:on:)",
      ])
  }

  private func place(_ line: Int, _ function: String) -> String {
    "LegendOfTasksTests.swift:\(line), in LegendOfTasksTests.\(function)()"
  }
}
