import Foundation
import Measuring
package import Results
import SignalInspector
import Signals

/// What a client of the inspector costs a program that works meanwhile.
package enum ClientCosts {
  /// Measures programs of several sizes: with a client that asks, and without, in turns, the one first in every other round.
  ///
  /// - Parameter arguments: Those of this program that make it a client of the socket that is named behind them.
  package static func measured(
    nodes: [Int], rounds: Int, scale: Double, arguments: [String]
  ) async throws -> [ClientCost] {
    let recorder = Introspection.enable()
    defer { Introspection.disable() }
    let folder = try SocketDirectory(path: "/tmp/signals-bench-\(getpid())")
    let inspector = try await SignalInspector.start(in: folder)
    defer { try? FileManager.default.removeItem(atPath: folder.path) }
    let client = try AskingClient(arguments: arguments + [inspector.socketPath])
    var costs: [ClientCost] = []
    for count in nodes {
      let graph = RecordedGraph(nodes: count, in: recorder)
      let work = ProgramLoad.values.prepare()
      let seconds = (count > 10_000 ? 10 : 4) * scale
      // As much work as takes that long.
      let few = 1_600_000
      let operations = Int(Double(few) * seconds * 1e9 / ProcessorTime.of { work.perform(few) }) / few * few
      var times: [Double] = []
      var answers = (count: 0, seconds: 0.0)
      for round in -1..<rounds {
        var with = 0.0
        var without = 0.0
        func measureWith() throws {
          try client.ask()
          let start = ContinuousClock.now
          with = ProcessorTime.of { work.perform(operations) }
          answers.seconds += (.now - start) / .seconds(1)
          answers.count += try client.rest()
          // What is being answered is not part of the next turn.
          Thread.sleep(forTimeInterval: 0.5)
        }
        if round.isMultiple(of: 2) { try measureWith() }
        without = ProcessorTime.of { work.perform(operations) }
        if !round.isMultiple(of: 2) { try measureWith() }
        if round >= 0 { times.append(with / without) } else { answers = (0, 0) }
      }
      costs.append(
        ClientCost(
          name: "a client that asks every 100 ms, \(Figures.grouped(count)) nodes", nodes: count, times: times.median,
          answersPerSecond: Double(answers.count) / answers.seconds))
      _ = work.result()
      withExtendedLifetime(graph) {}
    }
    try client.end()
    await inspector.stop()
    return costs
  }
}
