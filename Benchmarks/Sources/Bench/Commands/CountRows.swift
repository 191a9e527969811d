import ArgumentParser
import Dispatch
import Foundation
import Measuring
import Results
import Synchronization

/// Counts instructions and heap blocks.
struct CountRows: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "counts", abstract: "Counts instructions and heap blocks of the core rows; valgrind has to be there.")

  @Option(help: "Which contenders: \(CountedContenders.allCases.map(\.rawValue).joined(separator: ", ")).")
  var of = CountedContenders.thresholds

  @Option(help: "The file that the results are written to, as JSON.")
  var json: String

  func run() throws {
    let planned = CountedRow.all.flatMap(of.counts)
    // Several at once: that changes no count.
    let results = Mutex<[Int: Result<Count, any Error>]>([:])
    DispatchQueue.concurrentPerform(iterations: planned.count) { index in
      let result = Result { try planned[index].counted() }
      results.withLock { $0[index] = result }
    }
    let counted = try results.withLock { results in try planned.indices.compactMap { try results[$0]?.get() } }
    try ResultFile.write(counted, to: json)
  }
}

extension CountedContenders: ExpressibleByArgument {}
