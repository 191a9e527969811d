/// Several marble diagrams below each other, as one drawing.
package struct MarblePage: Hashable, Sendable {
  /// The drawing as SVG.
  package let svg: String
  /// The width in points.
  package let width: Int
  /// The height in points.
  package let height: Int

  /// Draws diagrams below each other, each as on its own.
  ///
  /// - Parameters:
  ///   - pictures: The diagrams from top to bottom.
  ///   - options: The drawing options of each.
  package init(_ pictures: [MarblePicture], options: MarbleDrawingOptions) {
    let parts = pictures.map { MarblePart($0, options: options) }
    let space = 12
    width = parts.map(\.width).max() ?? 0
    height = parts.reduce(0) { $0 + $1.height } + space * max(0, parts.count - 1)
    guard parts.count != 1 else {
      svg = parts[0].svg
      return
    }
    var (y, inner) = (0, "")
    for part in parts {
      // A nested drawing; the style rules are shared, and the same in each.
      inner += "<svg y=\"\(y)\"" + part.svg.dropFirst("<svg".count)
      y += part.height + space
    }
    svg = """
      <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(width) \(height)" width="\(width)" height="\(height)">
      <title>Marble diagrams</title>
      \(inner)</svg>

      """
  }
}

/// One diagram of a page, and its size.
private struct MarblePart {
  let svg: String
  let width: Int
  let height: Int

  init(_ picture: MarblePicture, options: MarbleDrawingOptions) {
    var drawing = MarbleDrawing(picture, options: options)
    svg = drawing.svg()
    (width, height) = (drawing.width, drawing.height)
  }
}
