import Foundation
import SignalAttach
import SignalGraph

/// Writes a snapshot as JSON piece by piece, so that what waits for a slow client stays below 1 MiB however large the
/// graph is: a piece holds at most 64 elements, and of a text in them at most 512 bytes are shown.
struct SnapshotPieces {
  static let elementsPerPiece = 64
  static let textBytes = 512

  let snapshot: GraphSnapshot

  /// Calls `write` with each piece in turn.
  func forEach(_ write: (Data) throws -> Void) throws {
    var empty = snapshot
    (empty.definitions, empty.nodes, empty.edges) = ([], [], [])
    empty.process.name = Self.cut(empty.process.name)
    // The encoder writes all but the three lists. They are empty in its text, and each is filled in its place: their
    // keys stand there in alphabetical order, and no text inside the JSON can hold an unescaped quotation mark.
    var rest = String(decoding: try Self.encoder.encode(empty), as: UTF8.self)[...]
    try Self.fill("definitions", of: &rest, with: snapshot.definitions, Self.bounded, write)
    try Self.fill("edges", of: &rest, with: snapshot.edges, { $0 }, write)
    try Self.fill("nodes", of: &rest, with: snapshot.nodes, Self.bounded, write)
    try write(Data(rest.utf8))
  }

  private static func fill<Element: Encodable>(
    _ key: String, of rest: inout Substring, with elements: [Element], _ bounded: (Element) -> Element,
    _ write: (Data) throws -> Void
  ) throws {
    guard let list = rest.range(of: "\"\(key)\":[") else { return }
    try write(Data(rest[..<list.upperBound].utf8))
    rest = rest[list.upperBound...]
    for start in stride(from: 0, to: elements.count, by: elementsPerPiece) {
      let slice = elements[start..<min(start + elementsPerPiece, elements.count)].map(bounded)
      let text = try encoder.encode(slice).dropFirst().dropLast()
      try write((start == 0 ? Data() : Data(",".utf8)) + text)
    }
  }

  static var encoder: JSONEncoder {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return encoder
  }

  private static func bounded(_ definition: Definition) -> Definition {
    var definition = definition
    definition.kind = cut(definition.kind)
    definition.fileID = cut(definition.fileID)
    definition.function = cut(definition.function)
    return definition
  }

  private static func bounded(_ node: Node) -> Node {
    var node = node
    node.name = node.name.map(cut)
    node.lastValue = node.lastValue.map(cut)
    node.owner = node.owner.map(cut)
    node.failure = node.failure.map(cut)
    // JSON has no number for these.
    node.rate = node.rate.flatMap { $0.isFinite ? $0 : nil }
    node.lastEventAt = node.lastEventAt.flatMap { $0.isFinite ? $0 : nil }
    return node
  }

  static func bounded(_ observation: NodeObservation) -> NodeObservation {
    var observation = observation
    observation.lastValue = observation.lastValue.map(cut)
    observation.lastEventAt = observation.lastEventAt.flatMap { $0.isFinite ? $0 : nil }
    return observation
  }

  /// The text, or as many of its characters as fit, and an ellipsis.
  private static func cut(_ text: String) -> String {
    guard text.utf8.count > textBytes else { return text }
    let bytes = text.utf8.prefix(textBytes - 3)
    var end = bytes.endIndex
    while end > text.startIndex, end.samePosition(in: text.unicodeScalars) == nil { end = text.utf8.index(before: end) }
    return String(text.unicodeScalars[..<end]) + "…"
  }
}
