import Measuring
package import Results
import Signals

/// What the graph leaves of a whole program's throughput.
package enum GraphRatios {
  /// Measures loads whose name contains a text: with the graph off and on, in turns, the one first in every other round.
  package static func measured(rounds: Int, scale: Double, only: String?) throws -> [ProgramRatio] {
    try ProgramLoad.all.filter { load in only.map { load.name.contains($0) } ?? true }.map { load in
      let operations = Int(Double(load.operations) * scale) / 64 * 64
      let off = load.prepare()
      let on = withGraph { load.prepare() }
      var times: (off: [Double], on: [Double]) = ([], [])
      for round in -1..<rounds {
        var time = (off: 0.0, on: 0.0)
        func measureOff() { time.off = ProcessorTime.of { off.perform(operations) } }
        func measureOn() { time.on = withGraph { ProcessorTime.of { on.perform(operations) } } }
        if round.isMultiple(of: 2) {
          measureOff()
          measureOn()
        } else {
          measureOn()
          measureOff()
        }
        // The first warms up.
        guard round >= 0 else { continue }
        times.off.append(time.off / Double(operations))
        times.on.append(time.on / Double(operations))
      }
      let results = (off.result(), withGraph { on.result() })
      guard results.0 == results.1 else { throw DifferentResults(name: load.name, results: results) }
      return ProgramRatio(
        name: load.name, nanosecondsOff: times.off.median, nanosecondsOn: times.on.median,
        share: zip(times.off, times.on).map { $0 / $1 }.median, goal: load.goal)
    }
  }

  /// Does so many operations of one load, for profiles.
  package static func perform(_ name: String, operations: Int, isGraphOn: Bool) {
    for load in ProgramLoad.all where load.name == name {
      func run() {
        let work = load.prepare()
        work.perform(operations)
        print(load.name, work.result())
      }
      if isGraphOn { withGraph(run) } else { run() }
    }
  }

  /// Runs with the graph on, as a program that is inspected does.
  static func withGraph<Result>(_ body: () throws -> Result) rethrows -> Result {
    Introspection.enable()
    defer { Introspection.disable() }
    return try body()
  }
}

/// With the graph other values arrived than without it.
struct DifferentResults: Error, CustomStringConvertible {
  let name: String
  let results: (Int, Int)

  var description: String {
    "\(name): the sums of what was delivered differ: \(results.0) without the graph, \(results.1) with it"
  }
}
