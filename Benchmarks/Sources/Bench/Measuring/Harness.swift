import CAllocationCounter
import Dispatch
import Foundation
import Measuring
import Results
import Signals

/// Measures rows: all contenders take their turns in each round, so that a change of the machine's mood meets all of them.
struct Harness {
  var rounds = 15
  private static let countingRounds = 3
  /// Multiplies the operations of each round.
  var scale = 1.0
  /// Leaves the others out, for profiles.
  var onlyContender: String?

  func measure(_ row: Row) throws -> RowResult {
    let operations = max(1, Int(Double(row.operations) * scale) / row.batch) * row.batch
    let rounds = min(rounds, row.maximumRounds ?? rounds)
    let contenders = row.preparedContenders(only: onlyContender)
    var times = contenders.map { _ in [Double]() }
    var blocks = contenders.map { _ in Double.infinity }
    // Rounds come before: one warms up, the others count allocations, which would slow those that are timed. The fewest count, as what other
    // threads of the process allocate meanwhile is counted too.
    for round in -1 - Self.countingRounds..<rounds {
      for (index, contender) in contenders.enumerated() {
        count_allocations((-Self.countingRounds..<0).contains(round))
        let (time, allocated) = contender.recording { Self.turn(contender.run, operations) }
        count_allocations(false)
        if (-Self.countingRounds..<0).contains(round) {
          blocks[index] = min(blocks[index], Double(allocated) / Double(operations))
        } else if round >= 0 {
          times[index].append(time / Double(operations))
        }
      }
    }
    try check(row, contenders, operations: operations * (rounds + 1 + Self.countingRounds))
    var result = RowResult(name: row.name, goals: row.goals)
    let own = contenders.firstIndex { $0.name == "signals" }
    for (index, contender) in contenders.enumerated() {
      let ratios = own.map { own in zip(times[own], times[index]).map { $0 / $1 } }
      result.measurements[contender.name] = Measurement(
        nanoseconds: times[index].median, blocks: blocks[index], ratio: ratios?.median)
    }
    return result
  }

  private static func turn(_ run: Row.Run, _ operations: Int) -> (nanoseconds: Double, blocks: UInt64) {
    let blocks = allocation_count()
    let start = DispatchTime.now().uptimeNanoseconds
    run.perform(operations)
    let end = DispatchTime.now().uptimeNanoseconds
    return (Double(end - start), allocation_count() - blocks)
  }

  private func check(_ row: Row, _ contenders: [PreparedContender], operations: Int) throws {
    let results = contenders.map { (name: $0.name, sum: $0.run.result()) }
    let expected = row.expected?(operations)
    guard Set(results.map(\.sum) + (expected.map { [$0] } ?? [])).count <= 1 else {
      let sums = results.map { "\($0.name) \($0.sum)" } + (expected.map { ["expected \($0)"] } ?? [])
      throw WrongResult(
        description: "\(row.name): the sums of what was delivered differ: \(sums.joined(separator: ", "))")
    }
  }
}

/// A contender that is set up.
struct PreparedContender {
  let name: String
  let run: Row.Run
  /// Whether it runs with the graph on, as a program that is inspected does.
  let isGraphOn: Bool

  init(_ contender: Row.Contender, name: String, isGraphOn: Bool) {
    self.name = name
    self.isGraphOn = isGraphOn
    run = Self.run(graphOn: isGraphOn, contender.prepare)
  }

  /// Runs with the graph as it has to be for this contender.
  func recording<Result>(_ body: () -> Result) -> Result {
    Self.run(graphOn: isGraphOn, body)
  }

  private static func run<Result>(graphOn isGraphOn: Bool, _ body: () -> Result) -> Result {
    guard isGraphOn else { return body() }
    Introspection.enable()
    defer { Introspection.disable() }
    return body()
  }
}

extension Row {
  /// All contenders, set up; the library takes part a second time with the graph on.
  func preparedContenders(only name: String? = nil) -> [PreparedContender] {
    var prepared = contenders.filter { name == nil || $0.name == name }.map {
      PreparedContender($0, name: $0.name, isGraphOn: false)
    }
    if measuresGraph, name == nil || name == "graph on", let own = contenders.first(where: { $0.name == "signals" }) {
      prepared.append(PreparedContender(own, name: "graph on", isGraphOn: true))
    }
    return prepared
  }
}

/// A contender delivered something else than it should have.
struct WrongResult: Error, CustomStringConvertible {
  let description: String
}
