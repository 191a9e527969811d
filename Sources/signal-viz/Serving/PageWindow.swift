/// The part of a page's window in which the graph is drawn, in pixels.
struct PageWindow: Hashable, Sendable {
  var width: Double
  var height: Double

  /// The space that the page leaves free around the graph: see `Camera.fit` of `camera.js`.
  private static let (margin, foot) = (36.0, 62.0)
  /// The minimum scale at which names of boxes are readable: their glyphs are then 7 pixels high. See `.short` of
  /// `page.css`.
  static let legibleScale = 0.34
  /// The area of a box with the space around it, in a well-packed drawing.
  private static let boxArea = 28_000.0
  /// The minimum number of boxes that a window requests.
  static let fewestBoxes = 8

  /// Reads the size of a page from a query, within reasonable limits; without one, assumes a typical window.
  init(_ query: PageQuery) {
    func number(_ name: String, else usual: Double) -> Double {
      query[name].flatMap(Double.init).map { $0.isFinite ? min(max($0, 200), 8_000) : usual } ?? usual
    }
    width = number("width", else: 924) - 2 * Self.margin
    height = number("height", else: 750) - Self.margin - Self.foot
  }

  /// The scale at which the whole drawing is visible.
  func scale(of size: (width: Double, height: Double)) -> Double {
    min(width / max(1, size.width), height / max(1, size.height))
  }

  /// The estimated number of boxes whose names are readable at first sight.
  var boxes: Int {
    let area = width * height / (Self.legibleScale * Self.legibleScale)
    return max(Self.fewestBoxes, Int(area / Self.boxArea))
  }
}
