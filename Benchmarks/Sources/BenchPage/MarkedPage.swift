import Foundation

/// A hand-written page with generated parts, each between `<!-- generated: name -->` and `<!-- end: name -->`.
struct MarkedPage {
  struct MissingMarker: Error, CustomStringConvertible {
    let description: String
  }

  private(set) var text: String

  /// Replaces what stands between the markers of a part.
  mutating func fill(_ name: String, with content: String) throws {
    let (begin, end) = ("<!-- generated: \(name) -->", "<!-- end: \(name) -->")
    guard let start = text.range(of: begin), let stop = text.range(of: end, range: start.upperBound..<text.endIndex)
    else { throw MissingMarker(description: "the page needs the lines '\(begin)' and '\(end)', in this order") }
    text.replaceSubrange(start.upperBound..<stop.lowerBound, with: "\n\n\(content)\n\n")
  }
}
