import Foundation
import Measuring
package import Results
import SignalInspector
import Signals

/// What it costs a program that does nothing but send when it is recorded.
package enum RecordingCosts {
  /// An emitter, `map`, `filter` and a subscriber.
  private final class Chain {
    let emitter = Emitter<Int>()
    let sum = Sum()
    let kept: Subscription

    init() {
      let sum = sum
      kept = emitter.signal.map { $0 &+ 1 }.filter { $0 != 7 }.subscribe { sum.value &+= $0 }
    }

    /// What a value takes, in nanoseconds of this thread.
    func time(_ count: Int) -> Double {
      let start = ProcessorTime.ofThread
      for value in 0..<count { emitter.send(value) }
      return (ProcessorTime.ofThread - start) / Double(count)
    }
  }

  /// Measures the chain with the graph off, on, and on while a client records it, in turns within one run.
  ///
  /// - Parameter arguments: Those of this program that make it a client of the socket that is named behind them.
  package static func measured(rounds: Int, scale: Double, arguments: [String]) async throws -> RecordingCost {
    let off = Chain()
    Introspection.enable()
    defer { Introspection.disable() }
    let on = Chain()
    let folder = try SocketDirectory(path: "/tmp/signals-bench-\(getpid())")
    defer { try? FileManager.default.removeItem(atPath: folder.path) }
    let inspector = try await SignalInspector.start(in: folder)
    let client = try AskingClient(arguments: arguments + [inspector.socketPath])
    let few = Int(2_000_000 * scale)
    var times: (off: [Double], on: [Double], recorded: [Double], all: [Double]) = ([], [], [], [])
    var read: [Double] = []
    let memory = ProcessorTime.largestMegabytes
    for round in -1..<rounds {
      let (without, with) = (off.time(few * 10), on.time(few * 10))
      try client.record()
      var recorded = 0.0
      let all = ProcessorTime.of { recorded = on.time(few) } / Double(few)
      // Two events are those of a value.
      read.append(Double(try client.rest()) / Double(few * 2))
      // The program goes on to record for as long as it was last told to.
      try await Task.sleep(for: .seconds(1.5))
      guard round >= 0 else { continue }
      times.off.append(without)
      times.on.append(with)
      times.recorded.append(recorded)
      times.all.append(all)
    }
    try client.end()
    await inspector.stop()
    withExtendedLifetime((off, on)) {}
    return RecordingCost(
      nanosecondsOff: times.off.median, nanosecondsOn: times.on.median, nanosecondsRecorded: times.recorded.median,
      nanosecondsOfProcess: times.all.median, times: zip(times.recorded, times.on).map { $0 / $1 }.median,
      shareRead: read.median, megabytes: ProcessorTime.largestMegabytes - memory)
  }
}
