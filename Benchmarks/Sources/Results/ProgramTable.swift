import Foundation
import Measuring

/// How what the live graph costs a whole program is written.
package enum ProgramTable {
  package static func cells(_ ratio: ProgramRatio) -> [String] {
    [
      ratio.name, Figures.short(ratio.nanosecondsOff), Figures.short(ratio.nanosecondsOn),
      String(format: "%.2f", ratio.share), String(format: "%.1f", ratio.goal), verdict(ratio.isReached),
    ]
  }

  package static func cells(_ client: ClientCost) -> [String] {
    [
      client.name, String(format: "%.3f", client.times), String(format: "%.2f", client.goal),
      String(format: "%.1f", client.answersPerSecond), verdict(client.isReached),
    ]
  }

  package static func cells(_ memory: ProgramMemory) -> [String] {
    [memory.name, Figures.short(memory.bytesPerNode), Figures.short(memory.goal), verdict(memory.isReached)]
  }

  package static func line(_ ratio: ProgramRatio) -> String {
    let cells = cells(ratio)
    return
      "\(cells[0]): \(cells[1]) ns, with the graph \(cells[2]) ns: \(cells[3]) of the throughput (goal \(cells[4]); \(cells[5]))"
  }

  package static func line(_ client: ClientCost) -> String {
    let cells = cells(client)
    return "\(cells[0]): \(cells[1]) x the processor time (goal \(cells[2]); \(cells[4])), \(cells[3]) answers a second"
  }

  package static func line(_ memory: ProgramMemory) -> String {
    let cells = cells(memory)
    return "\(cells[0]): \(cells[1]) bytes a node more with the graph (goal \(cells[2]); \(cells[3]))"
  }

  package static func cells(_ recording: RecordingCost) -> [String] {
    [
      "map and filter, a value", Figures.short(recording.nanosecondsOff), Figures.short(recording.nanosecondsOn),
      Figures.short(recording.nanosecondsRecorded), Figures.short(recording.nanosecondsOfProcess),
      Figures.short(recording.times), String(format: "%.0f", recording.megabytes),
      String(format: "%.0f %%", recording.shareRead * 100),
    ]
  }

  package static func line(_ recording: RecordingCost) -> String {
    let cells = cells(recording)
    return
      "\(cells[0]): \(cells[1]) ns, with the graph \(cells[2]) ns, while it is recorded \(cells[3]) ns (\(cells[5]) x), with the answers \(cells[4]) ns; \(cells[6]) MB more, \(cells[7]) of the events read"
  }

  private static func verdict(_ isReached: Bool) -> String { isReached ? "reached" : "not reached" }
}
