import Foundation
import Signals
import Synchronization
import Testing

@testable import SignalTesting

#if os(Linux)
  @Suite("Simulations", .enabled(if: replacesSystemTime)) struct SimulateTests {
    /// What a run saw of chance.
    private static func chances(ofSeed seed: UInt64) -> [String] {
      let seen = Mutex<[String]>([])
      @Sendable func note(_ text: String) { seen.withLock { $0.append(text) } }
      simulate(seeds: seed..<seed + 1) { simulation in
        note("\(Int.random(in: 0..<1_000_000))")
        note("\(Array(1...20).shuffled())")
        note("\(Double.random(in: 0...1)) \(Bool.random())")
        note(UUID().uuidString)
        note("\(simulation.duration(in: .zero ... .seconds(100))) \(simulation.sometimes(0.5))")
        note("\(Date())")
        await withTaskGroup(of: Int.self) { group in
          for number in 0..<6 { group.addTask { number } }
          var order: [Int] = []
          for await number in group { order.append(number) }
          note("\(order)")
        }
      }
      return seen.withLock { $0 }
    }

    @Test("a seed decides random numbers, identifiers and the order of tasks") func seedDecides() {
      let runs = (0..<8).map { Self.chances(ofSeed: $0) }
      #expect(runs == (0..<8).map { Self.chances(ofSeed: $0) })
      // Each runs twice, to see that it is the same.
      for run in runs { #expect(Array(run[..<7]) == Array(run[7...])) }
      for index in 0..<4 { #expect(Set(runs.map { $0[index] }).count == 8, "\(runs.map { $0[index] })") }
      #expect(Set(runs.map { $0[5] }) == ["2000-01-01 00:00:00 +0000"])
      #expect(runs[0][6] == "[0, 1, 2, 3, 4, 5]")
      #expect(Set(runs.map { $0[6] }).count > 3)
    }

    @Test("outside a simulation random numbers differ") func othersAreRandom() {
      #expect(UUID() != UUID())
      let numbers = (0..<8).map { _ in Int.random(in: 0..<1_000_000_000) }
      #expect(Set(numbers).count > 1)
      _ = Self.chances(ofSeed: 1)
      #expect(numbers != (0..<8).map { _ in Int.random(in: 0..<1_000_000_000) })
    }

    /// Two deposits at the same instant, of which one order loses one.
    private static func bank(
      seeds: Range<UInt64> = 0..<100, replaying token: String? = nil, failAfter limit: Int = .max
    ) -> (Simulations, [FailureCapture.Failure]) {
      var result = Simulations(runCount: 0)
      let failures = heldFailures {
        result = simulate(seeds: seeds, replaying: token) { simulation in
          let steps = Property<[Int]>([])
          await withTaskGroup(of: Void.self) { group in
            for number in 0..<5 { group.addTask { steps.update { $0.append(number) } } }
          }
          simulation.note("\(steps.value)", at: "bank")
          if let four = steps.value.firstIndex(of: 4), let one = steps.value.firstIndex(of: 1), four < one {
            throw Lost()
          }
        }
      }
      return (result, failures)
    }

    private struct Lost: Error {}

    @Test("a failing order is shrunk to the fewest swaps, and runs again from its token") func shrinks() throws {
      let (result, failures) = Self.bank()
      try #require(failures.count == 1, "\(failures)")
      let seed = try #require(result.failingSeed)
      #expect(result.runCount == Int(seed) + 1)
      // The fourth passes three others.
      #expect(result.swapCount == 3, "\(failures[0].message)")
      #expect(failures[0].message.contains("The scenario threw Lost()."))
      #expect(failures[0].message.contains("bank"))
      let token = try #require(result.failingRun)
      #expect(failures[0].message.contains("SIGNALS_REPLAY=\(token) "))
      let (again, againFailures) = Self.bank(replaying: token)
      #expect(again.failingRun == token)
      #expect(again.runCount == 1)
      #expect(againFailures.count == 1)
      // Other seeds before it pass.
      #expect(Self.bank(seeds: 0..<seed).1.isEmpty)
    }

    @Test("shrinking keeps the failure that was found") func keepsTheFailure() {
      var seen: Set<String> = []
      for seed in UInt64(1)..<60 {
        let messages = heldFailures {
          simulate(seeds: seed..<seed + 1) { _ in
            let order = Property<[Int]>([])
            await withTaskGroup(of: Void.self) { group in
              for number in 0..<3 { group.addTask { order.update { $0.append(number) } } }
            }
            if order.value == [2, 1, 0] { throw Rare() }
            if order.value[0] == 2 { throw Lost() }
          }
        }.map(\.message)
        for name in ["Rare()", "Lost()"] where messages.contains(where: { $0.contains(name) }) { seen.insert(name) }
      }
      #expect(seen == ["Rare()", "Lost()"])
    }

    private struct Rare: Error {}

    @Test("a scenario that depends on something else is reported") func unsteady() {
      let count = Mutex(0)
      let failures = heldFailures {
        simulate(seeds: 0..<3) { _ in
          let number = count.withLock { count in
            count += 1
            return count
          }
          for _ in 0..<number { try await Task.sleep(for: .seconds(1)) }
        }
      }
      #expect(failures.count == 1)
      #expect(failures.first?.message.contains("is not the same in each run") == true, "\(failures)")
    }

    @Test("a failure that does not repeat is reported as such") func unrepeatable() {
      let count = Mutex(0)
      let failures = heldFailures {
        simulate(seeds: 0..<3) { _ in
          if count.withLock({ count in
            count += 1
            return count == 2
          }) {
            throw Lost()
          }
        }
      }
      #expect(failures.count == 1)
      #expect(failures.first?.message.contains("but not when it ran again") == true, "\(failures)")
    }

    @Test(
      "wrong arguments are failures",
      arguments: ["", "x", "abc-3", "abc-s-3", "abc-sx-3", "abc-s99999999999999999999-3"])
    func wrongToken(_ token: String) {
      let failures = heldFailures { simulate(replaying: token) { _ in } }
      #expect(
        failures.map(\.message) == [
          "\"\(token)\" is not a run of a simulation. Pass one that a failure of simulate has printed."
        ])
    }

    @Test("no seeds are a failure") func noSeeds() {
      let failures = heldFailures { simulate(seeds: 5..<5) { _ in } }
      #expect(
        failures.map(\.message) == ["simulate got no seeds, so nothing was run. Pass some, such as seeds: 0..<100."])
    }

    @Test("a run of a simulation is no order of an exploration") func otherToken() {
      let failures = heldFailures { exploreInterleavings(replaying: "abc-s1-3") { _ in } }
      #expect(failures.count == 1)
      #expect(failures.first?.message.contains("is not an order of work") == true)
    }

    @Test("what is asleep or waits at the end is cancelled") func endsOthers() {
      let ended = Property(0)
      simulate(seeds: 0..<5) { _ in
        let (stream, continuation) = AsyncStream.makeStream(of: Int.self)
        Task {
          while !Task.isCancelled { try? await Task.sleep(for: .seconds(1)) }
          ended.update { $0 += 1 }
        }
        Task {
          for await _ in stream {}
          ended.update { $0 += 1 }
        }
        try await Task.sleep(for: .seconds(10))
        withExtendedLifetime(continuation) {}
      }
      // Seed 0 ran a second time.
      #expect(ended.value == 12)
    }

    @Test("tasks that handlers and queues start may sleep at the end as well") func handlersStartTasks() {
      simulate(seeds: 0..<3) { simulation in
        let network = SimulatedNetwork<Int>(simulation, nodes: ["a", "b"])
        network.receive(at: "b") { _, _ in
          Task { try await Task.sleep(for: .seconds(100)) }
          DispatchQueue.global().async { Task { try await Task.sleep(for: .seconds(100)) } }
        }
        network.send(1, from: "a", to: "b")
        try await Task.sleep(for: .seconds(1))
      }
    }

    @Test("a task that yields until another has done something comes to its end with every seed") func yields() {
      simulate(seeds: 0..<80) { _ in
        let count = Property(0)
        Task {
          for _ in 0..<5 {
            await Task.yield()
            count.update { $0 += 1 }
          }
          try await Task.sleep(for: .seconds(1_000))
        }
        while count.value < 5 { await Task.yield() }
      }
    }

    @Test("a long order is told by its seed alone, which repeats it") func longOrder() {
      var record = OrderRecord(choices: Array(repeating: 1, count: 10))
      #expect("\(SimulationSearch.token(of: 7, record, at: "x"))".hasPrefix("x-s7-0.1-1.1-"))
      record.choices = Array(repeating: 1, count: 1_000)
      let token = SimulationSearch.token(of: 7, record, at: "x")
      #expect("\(token)" == "x-s7")
      #expect(ReplayToken("x-s7") == token)
      func order(_ run: (@escaping @Sendable (Simulation) async throws -> Void) -> Void) -> [Int] {
        let order = Property<[Int]>([])
        run { _ in
          order.value = []
          await withTaskGroup(of: Void.self) { group in
            for number in 0..<20 { group.addTask { order.update { $0.append(number) } } }
          }
        }
        return order.value
      }
      let searched = order { simulate(seeds: 7..<8, $0) }
      #expect(searched != searched.sorted())
      #expect(order { simulate(replaying: "x-s7", $0) } == searched)
    }

    @Test("a range of all seeds ends at the first that fails") func allSeeds() {
      let failures = heldFailures { simulate(seeds: 0..<UInt64.max) { _ in throw Lost() } }
      #expect(failures.first?.message.contains("run 1 of 18446744073709551615") == true)
    }

    @Test("an error of #require and a failed wait are told once") func requirements() {
      let failures = heldFailures {
        simulate(seeds: 0..<1) { _ in try await eventually(within: .seconds(1)) { false } }
        simulate(seeds: 0..<1) { _ in try #require(Bool(false)) }
      }
      #expect(failures.count == 2)
      for failure in failures { #expect(!failure.message.contains("The scenario threw"), "\(failure.message)") }
    }

    @Test("faults have the probability that is given") func probabilities() {
      let counts = Mutex<[Double: Int]>([:])
      simulate(seeds: 0..<20) { simulation in
        for probability in [-1, 0, 0.1, 0.5, 1, 2] {
          for _ in 0..<100 where simulation.sometimes(probability) {
            counts.withLock { $0[probability, default: 0] += 1 }
          }
        }
      }
      // 21 runs of 100.
      let seen = counts.withLock { $0 }
      #expect(seen[-1] == nil && seen[0] == nil && seen[1] == 2_100 && seen[2] == 2_100)
      #expect((150..<280).contains(seen[0.1] ?? 0), "\(seen)")
      #expect((950..<1_150).contains(seen[0.5] ?? 0), "\(seen)")
    }

    @Test("pauses and cancellations come within their limits") func pauses() {
      let pauses = Mutex<[Duration]>([])
      let ends = Mutex<[Duration]>([])
      simulate(seeds: 0..<40) { simulation in
        let start = simulation.time.now
        try await simulation.pause(upTo: .milliseconds(20))
        pauses.withLock { $0.append(start.duration(to: simulation.time.now)) }
        let began = simulation.time.now
        let task = Task { try await Task.sleep(for: .seconds(1_000)) }
        simulation.cancel(task, within: .seconds(2))
        _ = await task.result
        ends.withLock { $0.append(began.duration(to: simulation.time.now)) }
      }
      #expect(pauses.withLock { $0.allSatisfy { $0 >= .zero && $0 <= .milliseconds(20) } })
      #expect(pauses.withLock { Set($0).count } > 10)
      #expect(ends.withLock { $0.allSatisfy { $0 >= .zero && $0 <= .seconds(2) } })
      #expect(ends.withLock { Set($0).count } > 30)
    }

    @Test("durations are whole milliseconds if their limits are") func durations() {
      var random = SplitMix(seed: 1)
      for _ in 0..<100 {
        let whole = random.duration(in: .milliseconds(1) ... .milliseconds(7))
        #expect((1...7).contains { .milliseconds($0) == whole })
        let fine = random.duration(in: .nanoseconds(5) ... .nanoseconds(9))
        #expect((5...9).contains { .nanoseconds($0) == fine })
      }
      #expect(random.duration(in: .seconds(3) ... .seconds(3)) == .seconds(3))
      let huge = random.duration(in: .seconds(Int64.min) ... .seconds(Int64.max))
      #expect(huge >= .nanoseconds(Int64.min))
    }
  }
#endif
