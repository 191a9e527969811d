import ArgumentParser
import Foundation
import SignalFindings
import SignalGraph
import SignalPicture
import SignalRendering

/// A picture of what was found: the nodes that findings name, with their numbers, and what feeds them; and the list of findings.
struct FindingsPicture {
  /// The part of the graph that is drawn.
  var part: GraphSnapshot
  var options: DrawingOptions

  /// How many nodes there may be with those that use what was found.
  private static let largestUse = 2_000

  /// How many findings are drawn: more than that nobody reads beside a graph.
  static let limit = 40

  /// - Parameters:
  ///   - all: The findings. Errors go before warnings where not all can be drawn.
  ///   - place: What is written for a place.
  init(of all: [Finding], in graph: GraphSnapshot, place: (Place) -> String) {
    let urgent = all.filter { $0.severity == .error } + all.filter { $0.severity != .error }
    let findings = all.count > Self.limit ? Array(urgent.prefix(Self.limit)) : all
    let view = GraphView(graph)
    let found = Set(findings.flatMap(\.nodes).filter { view.nodes[$0] != nil })
    var kept = found
    // A source without those that use it says little.
    for node in found where (view.outputs[node] ?? []).allSatisfy({ !found.contains($0.target) }) {
      var below = [node]
      while let next = below.popLast(), kept.count < Self.largestUse {
        for edge in view.outputs[next] ?? [] where kept.insert(edge.target).inserted { below.append(edge.target) }
      }
    }
    var waiting = Array(kept)
    while let node = waiting.popLast() {
      for edge in view.inputs[node] ?? [] where kept.insert(edge.source).inserted { waiting.append(edge.source) }
    }
    part = graph.part(of: kept)
    options = DrawingOptions()
    options.marks = findings.map { finding in
      // What has ended is kept for a while only; what is known of its place stays.
      let isDrawn = finding.nodes.contains { kept.contains($0) }
      return PictureMark(
        nodes: Set(finding.nodes), words: "\(finding.message) (\(finding.rule))",
        place: place(finding.place) + (isDrawn ? "" : " (not drawn: it has ended, and is not kept)"),
        remedy: finding.remedy, isError: finding.severity == .error)
    }
    if all.count > findings.count {
      options.marks.append(
        PictureMark(
          nodes: [], words: "\(all.count - findings.count) findings more are not drawn", place: "",
          remedy: "mend these first, or choose with --only and --ignore", isError: false))
    }
  }

  /// Refuses what is no picture.
  static func checkKind(of path: String, json: String = "the findings") throws {
    let words = "-o draws a picture (\(OutputKind.pictures)); --json prints \(json) as JSON."
    guard path != "-" else {
      throw ValidationError("-o needs a file: what is said goes to the standard output.")
    }
    if case .json = try OutputKind(path: path, offering: OutputKind.pictures) { throw ValidationError(words) }
  }

  func write(to file: OutputFile, as kind: OutputKind) throws {
    switch kind {
    case .json: throw Failure("JSON is what --json prints; -o draws a picture.")
    case .dot: try file.write(Data(part.dot(options: options).utf8))
    case .mermaid: try file.write(Data(part.mermaid(options: options).utf8))
    case .picture(let format):
      let picture = PictureFile(graph: part, format: format, options: options)
      if let note = try picture.write(named: file.name, file.write) { Terminal.note(note) }
    }
  }
}
