import Foundation
import Signals
import Synchronization
import Testing

@testable import SignalTesting

#if os(Linux)
  @Suite("Simulated networks", .enabled(if: replacesSystemTime)) struct SimulatedNetworkTests {
    /// The messages that arrive at a node, and when.
    private final class Arrivals: Sendable {
      private let state = Mutex<[(message: Int, time: Duration)]>([])

      var messages: [Int] { state.withLock { $0.map(\.message) } }
      var times: [Duration] { state.withLock { $0.map(\.time) } }

      func listen(_ network: SimulatedNetwork<Int>, at node: String, _ simulation: Simulation) {
        let start = simulation.time.now
        network.receive(at: node) { message, _ in
          let time = start.duration(to: simulation.time.now)
          self.state.withLock { $0.append((message, time)) }
        }
      }
    }

    /// Sends numbers from a to b in each of some seeds, and passes what arrived.
    private static func send(
      _ count: Int, _ conditions: NetworkConditions, seeds: Range<UInt64> = 0..<20,
      _ check: @Sendable @escaping (Arrivals) -> Void
    ) {
      simulate(seeds: seeds) { simulation in
        let network = SimulatedNetwork<Int>(simulation, nodes: ["a", "b"], conditions: conditions)
        let arrivals = Arrivals()
        arrivals.listen(network, at: "b", simulation)
        for number in 0..<count { network.send(number, from: "a", to: "b") }
        try await Task.sleep(for: .seconds(10))
        check(arrivals)
      }
    }

    @Test("messages take their latency and arrive in order") func latency() {
      Self.send(50, NetworkConditions(latency: .milliseconds(5) ... .milliseconds(30))) { arrivals in
        #expect(arrivals.messages == Array(0..<50))
        #expect(arrivals.times.allSatisfy { $0 >= .milliseconds(5) && $0 <= .milliseconds(30) })
        #expect(arrivals.times == arrivals.times.sorted())
      }
    }

    @Test("without order messages overtake each other") func reordering() {
      let reordered = Mutex(0)
      Self.send(50, NetworkConditions(latency: .milliseconds(5) ... .milliseconds(30), isOrdered: false)) { arrivals in
        #expect(arrivals.messages.sorted() == Array(0..<50))
        if arrivals.messages != Array(0..<50) { reordered.withLock { $0 += 1 } }
      }
      #expect(reordered.withLock { $0 } > 15)
    }

    @Test("messages are lost and doubled as often as asked for") func lossAndDuplication() {
      let counts = Mutex((arrived: 0, twice: 0, sent: 0))
      Self.send(100, NetworkConditions(loss: 0.25, duplication: 0.5)) { arrivals in
        let kinds = Dictionary(grouping: arrivals.messages) { $0 }
        counts.withLock { counts in
          counts.sent += 100
          counts.arrived += kinds.count
          counts.twice += kinds.values.count { $0.count == 2 }
        }
        #expect(kinds.values.allSatisfy { $0.count <= 2 })
      }
      let (arrived, twice, sent) = counts.withLock { $0 }
      #expect((0.7...0.8).contains(Double(arrived) / Double(sent)), "\(arrived) of \(sent)")
      #expect((0.45...0.55).contains(Double(twice) / Double(arrived)), "\(twice) of \(arrived)")
    }

    @Test("nothing passes a cut, not even what was under way") func cuts() {
      simulate(seeds: 0..<20) { simulation in
        let network = SimulatedNetwork<Int>(
          simulation, nodes: ["a", "b", "c"],
          conditions: NetworkConditions(latency: .milliseconds(4) ... .milliseconds(4)))
        let (b, c) = (Arrivals(), Arrivals())
        b.listen(network, at: "b", simulation)
        c.listen(network, at: "c", simulation)
        func send(_ number: Int) {
          network.send(number, from: "a", to: "b")
          network.send(number, from: "c", to: "b")
          network.send(number, from: "a", to: "c")
        }
        send(1)
        try await Task.sleep(for: .milliseconds(2))
        network.cut("a", from: "b")
        send(2)
        try await Task.sleep(for: .milliseconds(1))
        network.heal()
        try await Task.sleep(for: .milliseconds(10))
        #expect(b.messages == [1, 2])
        #expect(c.messages == [1, 2])
        send(3)
        try await Task.sleep(for: .milliseconds(10))
        #expect(b.messages == [1, 2, 3, 3])
        network.isolate("b", "c")
        send(4)
        try await Task.sleep(for: .milliseconds(10))
        #expect(b.messages == [1, 2, 3, 3, 4])
        #expect(c.messages == [1, 2, 3])
        network.heal()
        send(5)
        try await Task.sleep(for: .milliseconds(10))
        #expect(c.messages == [1, 2, 3, 5])
      }
    }

    @Test("a node that nobody receives at gets nothing") func nobodyReceives() {
      simulate(seeds: 0..<5) { simulation in
        let network = SimulatedNetwork<Int>(simulation, nodes: ["a", "b"])
        let arrivals = Arrivals()
        arrivals.listen(network, at: "b", simulation)
        network.stopReceiving(at: "b")
        network.send(1, from: "a", to: "b")
        try await Task.sleep(for: .seconds(1))
        arrivals.listen(network, at: "b", simulation)
        network.send(2, from: "a", to: "b")
        network.send(3, from: "b", to: "b")
        try await Task.sleep(for: .seconds(1))
        #expect(arrivals.messages.sorted() == [2, 3])
      }
    }

    @Test("disturbances cut links for a while, and heal them") func disturbances() {
      let lost = Mutex<[Int]>([])
      simulate(seeds: 0..<20) { simulation in
        let network = SimulatedNetwork<Int>(simulation, nodes: ["a", "b", "c"])
        let arrivals = Arrivals()
        arrivals.listen(network, at: "b", simulation)
        network.disturb(for: .seconds(5))
        for number in 0..<100 {
          network.send(number, from: "a", to: "b")
          try await Task.sleep(for: .milliseconds(50))
        }
        try await Task.sleep(for: .milliseconds(100))
        let count = arrivals.messages.count
        lost.withLock { $0.append(100 - count) }
        for number in 100..<120 { network.send(number, from: "a", to: "b") }
        try await Task.sleep(for: .milliseconds(100))
        #expect(arrivals.messages.count == count + 20)
      }
      let counts = lost.withLock { $0 }
      #expect(counts.count { $0 > 0 } > 15, "\(counts)")
      #expect(counts.allSatisfy { $0 < 100 }, "\(counts)")
    }

    @Test("a disturbance does not heal what the scenario has cut") func ownCuts() {
      simulate(seeds: 0..<20) { simulation in
        let network = SimulatedNetwork<Int>(simulation, nodes: ["a", "b", "c"])
        let arrivals = Arrivals()
        arrivals.listen(network, at: "b", simulation)
        network.cut("a", from: "b")
        network.disturb(for: .seconds(1), pauses: .zero ... .zero)
        try await Task.sleep(for: .seconds(2))
        network.send(1, from: "a", to: "b")
        network.send(2, from: "c", to: "b")
        try await Task.sleep(for: .seconds(1))
        #expect(arrivals.messages == [2])
      }
    }

    /// What tells whether a network has been released.
    private final class Weak: Sendable {
      private struct Reference { weak var network: SimulatedNetwork<Int>? }

      private let state = Mutex(Reference())

      var isThere: Bool { state.withLock { $0.network != nil } }

      func refer(to network: SimulatedNetwork<Int>) { state.withLock { $0.network = network } }
    }

    @Test("a handler that sends on its network does not keep it") func isReleased() {
      let left = Weak()
      simulate(seeds: 0..<2) { simulation in
        let network = SimulatedNetwork<Int>(simulation, nodes: ["a", "b"])
        network.receive(at: "b") { message, sender in network.send(message, from: "b", to: sender) }
        network.send(1, from: "a", to: "b")
        try await Task.sleep(for: .seconds(1))
        left.refer(to: network)
      }
      #expect(!left.isThere)
    }

    @Test("an unknown node is a failure") func unknownNode() {
      let failures = heldFailures {
        simulate(seeds: 0..<1) { simulation in
          let network = SimulatedNetwork<Int>(simulation, nodes: ["a", "b"])
          network.send(1, from: "a", to: "z")
        }
      }
      #expect(failures.count == 1)
      #expect(failures.first?.message.contains("The network has no node \"z\", only a, b.") == true, "\(failures)")
    }

    @Test("a link does the same in another order of work") func independentOfOrder() {
      func fates(_ order: [(String, String)]) -> [String: [Int]] {
        let fates = Mutex<[String: [Int]]>([:])
        simulate(seeds: 3..<4) { simulation in
          let network = SimulatedNetwork<Int>(
            simulation, nodes: ["a", "b", "c"], conditions: NetworkConditions(loss: 0.5))
          for node in ["a", "b", "c"] {
            network.receive(at: node) { message, sender in
              fates.withLock { $0["\(sender)>\(node)", default: []].append(message) }
            }
          }
          for number in 0..<30 { for (sender, receiver) in order { network.send(number, from: sender, to: receiver) } }
          try await Task.sleep(for: .seconds(1))
        }
        return fates.withLock { $0.mapValues { $0.sorted() } }
      }
      #expect(fates([("a", "b"), ("b", "c")]) == fates([("b", "c"), ("a", "b")]))
    }
  }
#endif
