import Foundation
import SignalGraph
import SignalPicture
import SignalRendering

/// The content of the live page as a file: the drawing as SVG, or the graph as JSON, which `signal-viz render` reads.
struct PageExport {
  let type: String
  let name: String
  let body: Data

  /// - Parameters:
  ///   - path: `/graph.svg` or `/graph.json`.
  ///   - graph: The part of the graph that is shown.
  init(_ path: String, of graph: GraphSnapshot, view: PageView) throws {
    let stem = graph.process.name.filter { $0.isASCII && ($0.isLetter || $0.isNumber) }
    name = (stem.isEmpty ? "graph" : String(stem.prefix(60))) + path.dropFirst("/graph".count)
    guard path == "/graph.svg" else {
      type = "application/json"
      body = try graph.json(pretty: true).withEscapedControls
      return
    }
    type = "image/svg+xml"
    var options = view.options(for: graph.nodes.count)
    options.showsLegend = true
    let file = try ScratchFile()
    _ = try PictureFile(graph: graph, format: .svg, options: options).write(named: "-") { try $0(file.handle) }
    body = try file.contents()
  }
}
