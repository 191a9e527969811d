import ArgumentParser
import Foundation
import SignalFindings
import SignalGraph
import SignalPicture
import SignalRendering

/// A drawing of findings: the numbered nodes that they name, with what feeds these, and the list of findings.
struct FindingsPicture {
  /// The part of the graph that is drawn.
  var part: GraphSnapshot
  var options: DrawingOptions

  /// The maximum number of nodes including the consumers of those found.
  private static let largestUse = 2_000

  /// The number of findings drawn: a longer list beside a graph is not read.
  static let limit = 40

  /// - Parameters:
  ///   - all: The findings. Errors take precedence over warnings if not all can be drawn.
  ///   - place: The text for a location.
  init(of all: [Finding], in graph: GraphSnapshot, place: (Place) -> String) {
    let urgent = all.filter { $0.severity == .error } + all.filter { $0.severity != .error }
    let findings = all.count > Self.limit ? Array(urgent.prefix(Self.limit)) : all
    let view = GraphView(graph)
    let found = Set(findings.flatMap(\.nodes).filter { view.nodes[$0] != nil })
    var kept = found
    // A source without its consumers says little.
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
      // Ended nodes are retained for a limited time only; what is known about their location remains.
      let isDrawn = finding.nodes.contains { kept.contains($0) }
      return PictureMark(
        nodes: Set(finding.nodes), words: "\(finding.message) (\(finding.rule))",
        place: place(finding.place) + (isDrawn ? "" : " (not drawn: it has ended, and is not kept)"),
        remedy: finding.remedy, isError: finding.severity == .error)
    }
    if all.count > findings.count {
      options.marks.append(
        PictureMark(
          nodes: [], words: "\(all.count - findings.count) more findings are not drawn", place: "",
          remedy: "fix these first, or choose with --only and --ignore", isError: false))
    }
  }

  /// Rejects formats that are not drawings.
  static func checkKind(of path: String, json: String = "the findings") throws {
    let words = "-o draws a picture (\(OutputKind.pictures)); --json prints \(json) as JSON."
    guard path != "-" else {
      throw ValidationError("-o needs a file: the report goes to the standard output.")
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
