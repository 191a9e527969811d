import SignalGraph
import SignalPicture
import Signals

/// The leaks of a check, and the graph around them.
struct LeakReport: Sendable {
  /// The largest number of nodes whose graph is readable in the output; a larger one is only attached.
  private static let readableNodeCount = 16

  var leaks: [Leak]
  /// The check.
  private let place: MarbleSource
  private let graph: String?
  private let dot: String?
  private let isGraphWorthReading: Bool

  init(_ leaks: [Leak], _ recorder: GraphRecorder, ignoring ignored: Set<String>, at place: MarbleSource) {
    self.leaks = leaks
    self.place = place
    let finder = LeakFinder(recorder, ignoring: ignored)
    var snapshot = recorder.snapshot().part(of: finder.leakedChains)
    let leaked = finder.leakedNodes
    for index in snapshot.nodes.indices where leaked.contains(snapshot.nodes[index].id) {
      snapshot.nodes[index].findings = [.leaked]
    }
    // A linear graph is described by the text.
    let targets = snapshot.edges.map(\.target)
    isGraphWorthReading = snapshot.nodes.count <= Self.readableNodeCount && Set(targets).count < targets.count
    // For a small graph each node; for a large one as much as is readable, and as much as Mermaid draws.
    let isSmall = snapshot.nodes.count <= DrawingOptions().boxLimit ?? 0
    let options = isSmall ? DrawingOptions(bundlesFrom: nil, boxLimit: nil) : DrawingOptions()
    graph = snapshot.nodes.isEmpty ? nil : try? snapshot.mermaid(options: options)
    dot = snapshot.nodes.isEmpty ? nil : try? snapshot.dot(options: options)
  }

  /// The scope of the check. XCTest does not provide the location of a test, so there it is the test's name.
  private var scope: String {
    place.line > 0 ? "the scope at \(place.fileName):\(place.line)" : place.fileName
  }

  /// The messages, and the locations where leaked objects were created.
  ///
  /// The graph is attached to the test, as Mermaid and as DOT; if tests have no attachments, the last message names the
  /// files.
  func failures() -> [(message: String, source: MarbleSource)] {
    let paths = graph.map { graph in
      [("mmd", graph), ("dot", dot ?? "")].compactMap {
        FailureAttachment.add($0.1, named: "leaks", kind: $0.0, at: place)
      }
    }
    return leaks.enumerated().map { index, leak in
      // This library creates the subscription of an expectation, for the check.
      let site = leak.site.flatMap { $0.fileID.hasPrefix("SignalTesting/") ? nil : $0 }
      let source = site.map { MarbleSource($0, near: place) } ?? leak.trace?.source ?? place
      var message = leak.message + "\n  still alive at the end of \(scope)"
      if index == leaks.count - 1, isGraphWorthReading, let graph { message += "\n\n" + graph }
      if index == leaks.count - 1, let paths, !paths.isEmpty {
        message += "\n\n  graph: \(paths.joined(separator: ", "))"
      }
      return (message, source)
    }
  }

  /// Reports each leak as a failure of the running test, at the line that created the leaked object.
  func record() {
    for failure in failures() { report(failure.message, at: failure.source, else: place) }
  }
}
