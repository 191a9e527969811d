import CAllocationCounter
import Dispatch
import Foundation
import Signals

/// What was measured of one contender in one row.
struct Measurement: Codable {
  /// Median over the rounds.
  var nanoseconds: Double
  var allocations: Double
}

/// What was measured of one row.
struct RowResult: Codable {
  var name: String
  var goal: Double?
  var measurements: [String: Measurement]

  func ratio(to contender: String) -> Double? {
    guard let own = measurements["signals"], let other = measurements[contender] else { return nil }
    return own.nanoseconds / other.nanoseconds
  }
}

/// A contender delivered something else than the others.
struct WrongResult: Error, CustomStringConvertible {
  let description: String
}

/// Measures rows: all contenders take their turns in each round, so that a change of the machine's mood meets all of them.
struct Harness {
  /// The library with the graph on.
  static let graphOn = "graph on"

  var rounds = 9
  /// Multiplies the operations of each round.
  var scale = 1.0
  /// Leaves the others out, for profiles.
  var onlyContender: String?

  /// glibc drops lock prefixes while a process has one thread; a second one, parked for ever, keeps locks honest.
  static func parkSecondThread() {
    let thread = Thread { while true { Thread.sleep(forTimeInterval: 3_600) } }
    thread.start()
  }

  func measure(_ row: Row) throws -> RowResult {
    let operations = max(1, Int(Double(row.operations) * scale) / row.batch) * row.batch
    let rounds = min(rounds, row.maximumRounds ?? rounds)
    var contenders = row.contenders.map { (name: $0.name, run: $0.prepare()) }
    if row.measuresGraph, let own = row.contenders.first(where: { $0.name == "signals" }) {
      contenders.append((name: Self.graphOn, run: withGraph { own.prepare() }))
    }
    if let onlyContender { contenders.removeAll { $0.name != onlyContender } }
    var times = contenders.map { _ in [Double]() }
    var allocations = contenders.map { _ in Double.infinity }
    // The round before the first warms up and counts allocations, which would slow the others down.
    for round in -1..<rounds {
      for (index, contender) in contenders.enumerated() {
        count_allocations(round < 0)
        let (time, blocks) = turn(contender.run, operations, isGraphOn: contender.name == Self.graphOn)
        count_allocations(false)
        if round < 0 {
          allocations[index] = Double(blocks) / Double(operations)
        } else {
          times[index].append(time / Double(operations))
        }
      }
    }
    let results = contenders.map { $0.run.result() }
    guard Set(results).count <= 1 else {
      throw WrongResult(description: "\(row.name): the contenders delivered different sums: \(results)")
    }
    var result = RowResult(name: row.name, goal: row.goal, measurements: [:])
    for (index, contender) in contenders.enumerated() {
      result.measurements[contender.name] = Measurement(
        nanoseconds: times[index].sorted()[rounds / 2], allocations: allocations[index])
    }
    return result
  }

  private func turn(_ run: Row.Run, _ operations: Int, isGraphOn: Bool) -> (Double, UInt64) {
    func measured() -> (Double, UInt64) {
      let blocks = allocation_count()
      let start = DispatchTime.now().uptimeNanoseconds
      run.perform(operations)
      let end = DispatchTime.now().uptimeNanoseconds
      return (Double(end - start), allocation_count() - blocks)
    }
    return isGraphOn ? withGraph(measured) : measured()
  }

  /// Runs a closure while the whole process is recorded, as a program that is inspected is.
  private func withGraph<Result>(_ body: () -> Result) -> Result {
    Introspection.enable()
    defer { Introspection.disable() }
    return body()
  }
}
