// Writes a sample snapshot as JSON to standard output:
//   swift run sample-graph many 10000 [SHUFFLE SEED] > many.json
//   swift run sample-graph search-box > search-box.json
import Foundation
import SampleGraphs
import SignalGraph

let arguments = Array(CommandLine.arguments.dropFirst())
var graph = SampleGraphs.searchBox
if arguments.first != "search-box" {
  guard arguments.count >= 2, let shape = SampleGraphs.Shape(rawValue: arguments[0]),
    let count = Int(arguments[1]), count > 0
  else {
    let shapes = SampleGraphs.Shape.allCases.map(\.rawValue).joined(separator: "|")
    FileHandle.standardError.write(Data("usage: sample-graph search-box | (\(shapes)) COUNT [SHUFFLE SEED]\n".utf8))
    exit(64)
  }
  graph = SampleGraphs.large(shape, count: count)
  if arguments.count > 2, let seed = UInt64(arguments[2]) { graph = SampleGraphs.shuffled(graph, seed: seed) }
}
try FileHandle.standardOutput.write(contentsOf: graph.json())
