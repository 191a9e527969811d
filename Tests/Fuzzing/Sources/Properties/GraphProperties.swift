import Foundation
import SignalGraph
import SignalRendering

@testable import SignalPicture

#if canImport(FoundationXML)
  import FoundationXML
#endif

/// Any graph, with any texts and numbers, has a picture: text that libgraphviz reads and paints, as XML that is well-formed; and a diagram for Mermaid of
/// lines without control characters.
public func checkGraphs(_ bytes: UnsafeBufferPointer<UInt8>) {
  var choices = Choices(bytes: bytes[...])
  var options = DrawingOptions(
    direction: [.fitting, .right, .down][choices.small(3)], clustersByFile: choices.small(2) == 0,
    showsEnded: choices.small(2) == 0, bundlesFrom: choices.small(2) == 0 ? nil : 3,
    foldsLinearRuns: choices.small(2) == 0,
    sourceLink: choices.small(2) == 0 ? try? SourceLink(pattern: "https://x/{file}#L{line}") : nil)
  if choices.small(2) == 0 { options.boxLimit = nil }
  let snapshot = choices.graph()
  let dot: String
  let mermaid: String
  do { (dot, mermaid) = try (snapshot.dot(options: options), snapshot.mermaid(options: options)) } catch {
    stop("A graph that hangs together is refused: \(error)")
  }
  require(!mermaid.unicodeScalars.contains { $0 != "\n" && $0.properties.generalCategory == .control }, mermaid)
  require(!dot.unicodeScalars.contains { $0 != "\n" && $0.properties.generalCategory == .control }, dot)
  do {
    let parser = XMLParser(data: Data(try snapshot.rendered(as: .svg, options: options)))
    require(parser.parse(), "No XML: \(parser.parserError.map { "\($0)" } ?? ""), of\n\(dot)")
  } catch {
    stop("\(error), of\n\(dot)")
  }
}

/// Bytes as choices, numbers and texts.
private struct Choices {
  var bytes: Slice<UnsafeBufferPointer<UInt8>>

  /// Texts that mean something to one who reads them: to DOT, HTML, XML, Mermaid, a terminal, a font.
  static let texts = [
    "", "a", "\"", "\\", "\\N", "\\\"", "<b>", "</TABLE>", "&", "&amp;", "&#0;", "]]>", "--", "-->", "%%", "\n", "\r\n",
    "\t",
    "\u{0}", "\u{1B}[2J", "\u{7F}", "\u{85}", "\u{9B}", "\u{202E}", "\u{2028}", "\u{FEFF}", "\u{FFFE}", "\u{FFFF}",
    "\u{10FFFF}", "\u{E000}", "e\u{301}", String(repeating: "\u{301}", count: 300), "👩‍👧", "مرحبا", "{", "}", "|", ";",
    "'",
    "javascript:x", String(repeating: "w", count: 500), "ÿ", "<", ">", "end", "graph", "#quot;",
  ]

  mutating func byte() -> UInt8 { bytes.popFirst() ?? 0 }

  mutating func small(_ bound: Int) -> Int { Int(byte()) % bound }

  mutating func number() -> Int64 {
    let edges: [Int64] = [0, 1, -1, .max, .min, 42]
    let choice = byte()
    return choice < 128 ? edges[Int(choice) % edges.count] : (0..<8).reduce(Int64(0)) { n, _ in n << 8 | Int64(byte()) }
  }

  mutating func count() -> UInt64 { UInt64(bitPattern: number()) }

  mutating func double() -> Double {
    let edges: [Double] = [0, 1.5, -1, 1e300, -1e300, 5e-324, .nan, .infinity, 1_700_000_000]
    return edges[small(edges.count)]
  }

  mutating func text() -> String {
    let choice = small(3)
    if choice == 0 { return Self.texts[small(Self.texts.count)] }
    if choice == 1 { return Self.texts[small(Self.texts.count)] + Self.texts[small(Self.texts.count)] }
    let own = bytes.prefix(small(32))
    bytes = bytes.dropFirst(own.count)
    return String(decoding: own, as: UTF8.self)
  }

  mutating func maybe<Value>(_ value: (inout Choices) -> Value) -> Value? { small(2) == 0 ? nil : value(&self) }

  mutating func graph() -> GraphSnapshot {
    let process = ProcessIdentity(name: text(), pid: Int32(truncatingIfNeeded: number()), startedAt: double())
    let kinds = ["emitter", "map", "subscribe", "merge"]
    let definitions = (0...small(4)).map { id in
      Definition(
        id: id, kind: small(2) == 0 ? kinds[small(kinds.count)] : text(), fileID: text(),
        line: Int(number()), function: text())
    }
    let nodes = (0..<small(7)).map { id in
      var node = Node(
        id: UInt64(id), definition: small(definitions.count), name: maybe { $0.text() },
        state: Node.State.allCases[small(Node.State.allCases.count)], valueCount: count(),
        waiting: maybe { $0.count() }, dropped: maybe { $0.count() }, rate: maybe { $0.double() },
        lastEventAt: maybe { $0.double() }, lastValue: maybe { $0.text() }, owner: maybe { $0.text() },
        failure: maybe { $0.text() }, findings: Node.Finding.allCases.filter { _ in small(3) == 0 })
      node.scheduler = maybe { $0.text() }
      node.interval = maybe { $0.double() }
      node.leadTime = maybe { $0.double() }
      return node
    }
    let edges =
      nodes.isEmpty
      ? []
      : (0..<small(9)).map { _ in
        Edge(
          source: UInt64(small(nodes.count)), target: UInt64(small(nodes.count)),
          kind: Edge.Kind.allCases[small(Edge.Kind.allCases.count)], count: maybe { $0.count() })
      }
    return GraphSnapshot(process: process, takenAt: double(), definitions: definitions, nodes: nodes, edges: edges)
  }
}
