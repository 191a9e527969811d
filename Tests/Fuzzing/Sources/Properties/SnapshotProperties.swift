import Foundation
import SignalGraph

@testable import SignalPicture

/// What is read as a snapshot is written so that it reads as the same one, and is drawn.
public func checkSnapshots(_ bytes: UnsafeBufferPointer<UInt8>) {
  let snapshot: GraphSnapshot
  do { snapshot = try GraphSnapshot(json: Data(bytes)) } catch {
    require(!error.description.isEmpty, "A mistake without a word.")
    return
  }
  do {
    for isPretty in [false, true] {
      let json = try snapshot.json(pretty: isPretty)
      try require(GraphSnapshot(json: json) == snapshot, "Written as \(String(decoding: json, as: UTF8.self)).")
    }
    let picture = try GraphPicture(of: snapshot)
    require(!picture.dot().isEmpty && !picture.mermaid().isEmpty, "A picture that is none.")
    try require(snapshot.mermaid().utf16.count <= 50_000, "More than Mermaid reads.")
  } catch {
    stop("A snapshot that was read is refused: \(error)")
  }
}
