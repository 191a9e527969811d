import SignalGraph
import Signals
import Testing

#if canImport(XCTest)
  import XCTest
#endif

/// What a check found, and the graph around it.
struct LeakReport {
  /// A graph of so many nodes can be read in the output; a larger one is only attached.
  private static let readableNodeCount = 12

  private let leaks: [Leak]
  private let graph: String?
  private let isReadable: Bool

  init(_ leaks: [Leak], _ recorder: GraphRecorder, ignoring ignored: Set<String>) {
    self.leaks = leaks
    let marked = LeakFinder(recorder, ignoring: ignored).leakedNodes
    var snapshot = recorder.snapshot()
    // What is over is of interest only where something leaked hangs below or above it.
    let chains = Chains(recorder.chainNodes())
    let shown = Set(marked.compactMap { chains.nodes[$0] }.flatMap { chains.all(from: chains.root(of: $0)) }.map(\.id))
    snapshot.nodes = snapshot.nodes.filter { shown.contains($0.id) }.map { node in
      var node = node
      if marked.contains(node.id) { node.findings = [.leaked] }
      return node
    }
    snapshot.edges.removeAll { !shown.contains($0.source) || !shown.contains($0.target) }
    let used = Set(snapshot.nodes.map(\.definition))
    snapshot.definitions.removeAll { !used.contains($0.id) }
    isReadable = snapshot.nodes.count <= Self.readableNodeCount
    graph = snapshot.nodes.isEmpty ? nil : (try? GraphPicture(of: snapshot))?.mermaid()
  }

  /// Makes each leak a failure of the running test, at the line where what leaked was made.
  func record(_ place: CheckPlace) {
    for (index, leak) in leaks.enumerated() {
      var message = leak.message
      if let site = leak.site { message += "\n  made at \(site.fileID):\(site.line)" }
      message += "\n  alive after the scope at \(place.fileID):\(place.line)"
      if index == leaks.count - 1, isReadable, let graph { message += "\n\n\(graph)" }
      fail(message, leak.site, place)
    }
    if Test.current != nil, let graph { Attachment.record(graph, named: "leaks.mmd") }
  }

  private func fail(_ message: String, _ site: Site?, _ place: CheckPlace) {
    if Test.current != nil {
      let location =
        if let site {
          SourceLocation(fileID: site.fileID, filePath: place.path(of: site), line: site.line, column: 1)
        } else {
          SourceLocation(
            fileID: "\(place.fileID)", filePath: "\(place.filePath)", line: Int(place.line), column: Int(place.column))
        }
      Issue.record(Comment(rawValue: message), sourceLocation: location)
      return
    }
    #if canImport(XCTest)
      XCTFail(message, file: place.filePath, line: place.line)
    #endif
  }
}
