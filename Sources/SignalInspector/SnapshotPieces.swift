import Foundation
import SignalAttach
import SignalGraph

/// Writes a snapshot as JSON in pieces, so that the data waiting for a slow client stays below 1 MiB however large the
/// graph is: a piece ends with the element that fills 64 KiB, and at most 512 bytes of a string are shown.
struct SnapshotPieces {
  static let pieceBytes = 64 * 1_024
  static let textBytes = 512

  let snapshot: GraphSnapshot

  /// Calls `write` with each piece in turn.
  func forEach(_ write: (Data) throws -> Void) throws {
    var rest = snapshot
    (rest.definitions, rest.nodes, rest.edges) = ([], [], [])
    rest.process.name = Self.cut(rest.process.name)
    // The encoder writes everything except the three lists. They are empty in its text, and each is filled in place:
    // their keys are in alphabetical order, and no string inside the JSON can hold an unescaped quotation mark.
    var text = String(decoding: try Self.encoder.encode(rest), as: UTF8.self)[...]
    try Self.fill("definitions", of: &text, with: snapshot.definitions, write) { $0.add($1) }
    try Self.fill("edges", of: &text, with: snapshot.edges, write) { $0.add($1) }
    try Self.fill("nodes", of: &text, with: snapshot.nodes, write) { $0.add($1) }
    try write(Data(text.utf8))
  }

  static func fill<Element>(
    _ key: String, of rest: inout Substring, with elements: [Element], _ write: (Data) throws -> Void,
    _ add: (inout JSONText, Element) -> Void
  ) throws {
    guard let list = rest.range(of: "\"\(key)\":[") else { return }
    try write(Data(rest[..<list.upperBound].utf8))
    rest = rest[list.upperBound...]
    var text = JSONText(capacity: pieceBytes + pieceBytes / 4)
    for (index, element) in elements.enumerated() {
      if index > 0 { text.write(",") }
      add(&text, element)
      guard text.bytes.count >= pieceBytes else { continue }
      try write(Data(text.bytes))
      text.removeAll()
    }
    try write(Data(text.bytes))
  }

  static var encoder: JSONEncoder {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return encoder
  }

  static func bounded(_ observation: NodeObservation) -> NodeObservation {
    var observation = observation
    observation.lastValue = observation.lastValue.map(cut)
    observation.lastEventAt = observation.lastEventAt.flatMap { $0.isFinite ? $0 : nil }
    return observation
  }

  /// The string, or as many of its characters as fit, and an ellipsis.
  static func cut(_ text: String) -> String {
    guard text.utf8.count > textBytes else { return text }
    let bytes = text.utf8.prefix(textBytes - 3)
    var end = bytes.endIndex
    while end > text.startIndex, end.samePosition(in: text.unicodeScalars) == nil { end = text.utf8.index(before: end) }
    return String(text.unicodeScalars[..<end]) + "…"
  }
}
