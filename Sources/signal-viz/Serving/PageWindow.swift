/// The part of a page's window in which the graph is drawn, in pixels.
struct PageWindow: Hashable, Sendable {
  var width: Double
  var height: Double

  /// The space around the graph that the page leaves free: see `Camera.fit` of `camera.js`.
  private static let (margin, foot) = (36.0, 62.0)
  /// The scale from which on names of boxes are readable: their glyphs are 7 pixels high then. See `.short` of `page.css`.
  static let legibleScale = 0.34
  /// The area of a box with the space around it, in a drawing that is packed well.
  private static let boxArea = 28_000.0
  /// The fewest boxes that a window asks for.
  static let fewestBoxes = 8

  /// Reads the size of a page that gives it, within reason; else that of a usual window.
  init(_ query: PageQuery) {
    func number(_ name: String, else usual: Double) -> Double {
      query[name].flatMap(Double.init).map { $0.isFinite ? min(max($0, 200), 8_000) : usual } ?? usual
    }
    width = number("width", else: 924) - 2 * Self.margin
    height = number("height", else: 750) - Self.margin - Self.foot
  }

  /// The scale at which a drawing is shown whole.
  func scale(of size: (width: Double, height: Double)) -> Double {
    min(width / max(1, size.width), height / max(1, size.height))
  }

  /// The number of boxes whose names can be read at first sight, as an estimate.
  var boxes: Int {
    let area = width * height / (Self.legibleScale * Self.legibleScale)
    return max(Self.fewestBoxes, Int(area / Self.boxArea))
  }
}
