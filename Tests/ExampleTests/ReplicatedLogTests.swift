import ReplicatedLog
import SignalTesting
import Synchronization
import Testing

/// Simulations of the replicated log: correct for each seed, and each mistake is found.
@Suite("the replicated log") struct ReplicatedLogTests {
  #if os(Linux)
    static let hasVirtualSystemTime = true
  #else
    static let hasVirtualSystemTime = false
  #endif

  @Test("agrees in spite of a bad network", .enabled(if: hasVirtualSystemTime)) func agrees() {
    #expect(simulateLog(nil).runCount == 20)
  }

  @Test("a mistake is found", .enabled(if: hasVirtualSystemTime), arguments: Mistake.all) func mistake(
    _ mistake: Mistake
  ) {
    func run(replaying token: String? = nil) -> Simulations? {
      var result: Simulations?
      withKnownIssue {
        result = simulateLog(mistake.fault, replaying: token)
      } matching: {
        "\($0)".contains(mistake.message)
      }
      return result
    }
    let found = run()
    #expect(found?.failingSeed != nil)
    let again = run(replaying: found?.failingRun)
    #expect(again?.failingRun == found?.failingRun)
  }

  struct Mistake: Sendable, CustomTestStringConvertible {
    var fault: Fault
    var message: String

    var testDescription: String { "\(fault)" }

    static let all = [
      Mistake(fault: .lostAfterReconnect, message: "was written, and is in no log"),
      Mistake(fault: .doubleRetry, message: "is twice in the log"),
      Mistake(fault: .splitBrain, message: "was written, and is in no log"),
    ]
  }
}

/// Three replicas and two writers, whose network is bad for five seconds.
@discardableResult
func simulateLog(_ fault: Fault?, replaying token: String? = nil) -> Simulations {
  simulate(seeds: 0..<20, replaying: token) { simulation in
    let replicaNames = ["A", "B", "C"]
    let writerNames = ["x", "y"]
    let network = SimulatedNetwork<Message>(
      simulation, nodes: writerNames + replicaNames, conditions: NetworkConditions(loss: 0.02, duplication: 0.02))

    let leaders = Mutex<[Int: String]>([:])
    let replicas = replicaNames.map { name in
      Replica(name, others: replicaNames.filter { $0 != name }, fault: fault) { message, receiver in
        network.send(message, from: name, to: receiver)
      } onLeading: { term in
        simulation.note("leads term \(term)", at: name)
        let other = leaders.withLock { $0.updateValue(name, forKey: term) }
        #expect(other == nil, "two leaders of term \(term)")
      }
    }
    for (name, replica) in zip(replicaNames, replicas) {
      let messages = network.messages(to: name)
      Task { for await delivery in messages { await replica.receive(delivery.message, from: delivery.sender) } }
      Task { await replica.run() }
    }

    let written = Journal()
    let writers = writerNames.map { name in
      Writer(name, replicas: replicaNames, fault: fault) { message, receiver in
        network.send(message, from: name, to: receiver)
      }
    }
    network.disturb(for: .seconds(5))
    try await withThrowingTaskGroup(of: Void.self) { group in
      for (name, writer) in zip(writerNames, writers) {
        let messages = network.messages(to: name)
        Task { for await delivery in messages { await writer.receive(delivery.message) } }
        group.addTask {
          for number in 1...5 {
            let entry = try await writer.write("text \(number)")
            simulation.note("\(entry.id) is written", at: name)
            written.add(entry.id)
            await expectWritten(written.ids, replicas)
          }
        }
      }
      try await group.waitForAll()
    }
    try await Task.sleep(for: .seconds(7))
    await expectWritten(written.ids, replicas)
  }
}

/// The entries that writers were told to be in the log.
private final class Journal: Sendable {
  private let state = Mutex<[Entry.ID]>([])

  var ids: [Entry.ID] { state.withLock { $0 } }

  func add(_ id: Entry.ID) { state.withLock { $0.append(id) } }
}

/// Each written entry is in most of the logs, and nowhere twice.
private func expectWritten(_ ids: [Entry.ID], _ replicas: [Replica]) async {
  var counts: [Entry.ID: Int] = [:]
  for replica in replicas {
    let log = await replica.log.map(\.id)
    for id in Set(log) { counts[id, default: 0] += 1 }
    let twice = ids.first { id in log.count { $0 == id } > 1 }
    #expect(twice == nil, "\(twice ?? "") is twice in the log of \(replica.name): \(log)")
  }
  for id in ids {
    let count = counts[id] ?? 0
    #expect(
      2 * count > replicas.count,
      "\(id) was written, and is in \(count == 0 ? "no log" : "\(count) of \(replicas.count) logs")")
  }
}
