import Curves
import Foundation
import Measuring

/// A curve as a picture: both axes logarithmic, the measured points, the fitted line.
struct CurvePicture {
  private static let width = 720.0
  private static let height = 440.0
  private static let plot = (left: 92.0, top: 78.0, right: 672.0, bottom: 376.0)

  let curve: CurveResult
  private let sizes: ClosedRange<Int>
  private let times: ClosedRange<Int>

  /// Ranges are in whole decades.
  init(_ curve: CurveResult) {
    self.curve = curve
    sizes = Self.decades(curve.points.map { Double($0.size) })
    times = Self.decades(curve.points.flatMap { [$0.nanoseconds, curve.fitted($0.size)] })
  }

  /// The picture as SVG; the same bytes for the same curve.
  var svg: String {
    """
    <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(Int(Self.width)) \(Int(Self.height))" \
    width="\(Int(Self.width))" height="\(Int(Self.height))" font-family="Helvetica, Arial, DejaVu Sans, sans-serif" role="img">
      <title>\(escaped(curve.title)): \(escaped(curve.formula))</title>
      <rect width="100%" height="100%" rx="8" fill="#FFFFFF"/>
      <text x="\(text(Self.plot.left))" y="34" font-size="18" font-weight="bold" fill="#1F2D3D">\(escaped(curve.title))</text>
      <text x="\(text(Self.plot.left))" y="58" font-size="13" fill="#52606D">\(subtitle)</text>
      <circle cx="\(text(Self.plot.right - 150))" cy="53" r="5" fill="#0072B2"/>
      <text x="\(text(Self.plot.right - 140))" y="58" font-size="13" fill="#52606D">measured</text>
      <path d="M\(text(Self.plot.right - 72)) 53h26" stroke="#D55E00" stroke-width="2" stroke-dasharray="7 5"/>
      <text x="\(text(Self.plot.right - 40))" y="58" font-size="13" fill="#52606D">fitted</text>
    \(grid.map { "  " + $0 }.joined(separator: "\n"))
      <polyline points="\(line)" fill="none" stroke="#D55E00" stroke-width="2" stroke-dasharray="7 5"/>
    \(dots.map { "  " + $0 }.joined(separator: "\n"))
      <text x="\(text((Self.plot.left + Self.plot.right) / 2))" y="\(text(Self.height - 20))" font-size="13" \
    text-anchor="middle" fill="#1F2D3D">\(escaped(curve.axis)) (n)</text>
      <text transform="translate(24 \(text((Self.plot.top + Self.plot.bottom) / 2))) rotate(-90)" font-size="13" \
    text-anchor="middle" fill="#1F2D3D">time of one operation</text>
    </svg>

    """
  }

  private var subtitle: String {
    let exponent = "<tspan baseline-shift=\"super\" font-size=\"10\">\(CurveResult.text(curve.fit.exponent))</tspan>"
    return
      "time ~ n\(exponent)\(curve.growth == .linearLogarithmic ? " log n" : "") (bound \(curve.bound)), steepest decade "
      + "\(CurveResult.text(curve.steepest)) (bound \(curve.steepestBound))"
  }

  private var grid: [String] {
    let vertical = sizes.map { decade in
      let x = text(self.x(pow(10, Double(decade))))
      return """
        <path d="M\(x) \(text(Self.plot.top))V\(text(Self.plot.bottom))" stroke="#E4E9EE"/>\
        <text x="\(x)" y="\(text(Self.plot.bottom + 20))" font-size="12" text-anchor="middle" fill="#52606D">\
        \(Figures.grouped(Int(pow(10, Double(decade)))))</text>
        """
    }
    let horizontal = times.map { decade in
      let y = text(self.y(pow(10, Double(decade))))
      return """
        <path d="M\(text(Self.plot.left)) \(y)H\(text(Self.plot.right))" stroke="#E4E9EE"/>\
        <text x="\(text(Self.plot.left - 10))" y="\(y)" dy="4" font-size="12" text-anchor="end" fill="#52606D">\
        \(Self.duration(decade: decade))</text>
        """
    }
    return vertical + horizontal
  }

  private var line: String {
    curve.points.map { "\(text(x(Double($0.size)))),\(text(y(curve.fitted($0.size))))" }.joined(separator: " ")
  }

  private var dots: [String] {
    curve.points.map { point in
      """
      <circle cx="\(text(x(Double(point.size))))" cy="\(text(y(point.nanoseconds)))" r="5" fill="#0072B2">\
      <title>\(Figures.grouped(point.size)): \(Figures.short(point.nanoseconds)) ns</title></circle>
      """
    }
  }

  private func x(_ size: Double) -> Double {
    Self.scaled(log10(size), in: sizes, from: Self.plot.left, to: Self.plot.right)
  }

  private func y(_ time: Double) -> Double {
    Self.scaled(log10(time), in: times, from: Self.plot.bottom, to: Self.plot.top)
  }

  private static func scaled(_ value: Double, in range: ClosedRange<Int>, from low: Double, to high: Double) -> Double {
    low + (value - Double(range.lowerBound)) / Double(range.count - 1) * (high - low)
  }

  private static func decades(_ values: [Double]) -> ClosedRange<Int> {
    let logarithms = values.map { log10($0) }
    let low = Int((logarithms.min() ?? 0).rounded(.down))
    return low...max(low + 1, Int((logarithms.max() ?? 1).rounded(.up)))
  }

  /// A power of ten nanoseconds with the unit that fits.
  private static func duration(decade: Int) -> String {
    let units = ["ns", "µs", "ms", "s"]
    let unit = min(max(0, decade / 3), units.count - 1)
    return "\(Figures.short(pow(10, Double(decade - unit * 3)))) \(units[unit])".replacing(".00", with: "")
  }

  private func text(_ value: Double) -> String { String(format: "%.1f", value) }

  private func escaped(_ text: String) -> String {
    text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
  }

  /// Writes a picture of each curve to a folder.
  static func write(_ curves: [CurveResult], to folder: String) throws {
    let url = URL(fileURLWithPath: folder, isDirectory: true)
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    for curve in curves {
      try Data(CurvePicture(curve).svg.utf8).write(to: url.appending(path: curve.name + ".svg"), options: .atomic)
    }
  }
}
