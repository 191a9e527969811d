import SignalGraph
import SignalPicture

/// The size at which the live page draws a box. The figures depend on the fonts of the page.
enum BoxSize {
  /// The number of operators listed of a folded chain.
  static let listedParts = 6
  static let line = 17.0

  /// The size in points, which are the page's pixels.
  static func of(_ box: GraphPicture.Box) -> (width: Double, height: Double) {
    let padding = 14.0
    if let heading = box.heading {
      return (bounded(letters(heading, 7) + 60), 2 * line + padding)
    }
    if box.parts.count == 1 {
      let part = box.parts[0]
      let copies = box.copies > 1 ? 24 + letters("\(box.copies)", 7) : 0
      let title = letters(part.kind, 7.2) + copies + 60
      let name = part.name.map { letters($0, 6.8) + 12 } ?? 0
      let rows = (part.name == nil ? 2 : 3) + (box.findings.contains(.leaked) ? 1 : 0)
      return (bounded(max(title, name, letters(part.site, 6) + 66)), Double(rows) * line + padding)
    }
    let widest =
      box.parts.map { part in
        letters(part.kind, 7) + (part.name.map { letters($0, 6.6) + 16 } ?? 0) + 70
      }.max() ?? 0
    let rows = min(box.parts.count, listedParts) + (box.copies > 1 ? 1 : 0)
    return (bounded(widest), Double(rows) * line + padding)
  }

  private static func letters(_ text: String, _ width: Double) -> Double { Double(min(text.count, 40)) * width }

  private static func bounded(_ width: Double) -> Double { min(max(width + 20, 130), 320) }
}
