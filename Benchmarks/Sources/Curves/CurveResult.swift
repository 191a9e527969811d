import Foundation

/// A measured curve.
package struct CurveResult: Codable {
  package struct Point: Codable {
    package var size: Int
    /// Of one operation, in the fastest round: what else runs on the machine only adds, and would bend the curve.
    package var nanoseconds: Double
  }

  package var name: String
  package var title: String
  package var axis: String
  package var growth: Growth
  package var points: [Point]
  package var fit: PowerFit
  /// The largest exponent over a decade of the upper half.
  package var steepest: Double
  package var bound: Double
  package var steepestBound: Double

  package var isWithinBounds: Bool { fit.exponent <= bound && steepest <= steepestBound }

  package init(_ curve: Curve, points: [Point]) {
    name = curve.name
    title = curve.title
    axis = curve.axis
    growth = curve.growth
    self.points = points
    let reduced = points.map {
      (size: Double($0.size), time: curve.growth.reduced($0.nanoseconds, size: $0.size))
    }
    fit = PowerFit(reduced)
    steepest = PowerFit.steepest(reduced)
    bound = curve.growth.bound
    steepestBound = curve.growth.steepestBound
  }

  /// The exponent as it is written beside the picture.
  package var formula: String {
    let power = "n^" + Self.text(fit.exponent)
    return growth == .linearLogarithmic ? power + " · log n" : power
  }

  /// An exponent to the hundredth; nothing is negative that is zero then.
  package static func text(_ exponent: Double) -> String {
    String(format: "%.2f", abs(exponent) < 0.005 ? 0 : exponent)
  }

  /// The fitted time at a size.
  package func fitted(_ size: Int) -> Double { fit.time(at: Double(size)) * growth.factor(size) }

  /// Measures a curve: all sizes take their turns in each round.
  package static func measured(_ curve: Curve, rounds: Int) -> CurveResult {
    let measures = curve.sizes.map(curve.prepare)
    var times = measures.map { _ in [Double]() }
    for round in -1..<rounds {
      for (index, measure) in measures.enumerated() {
        let time = measure()
        if round >= 0 { times[index].append(time) }
      }
    }
    return CurveResult(
      curve,
      points: zip(curve.sizes, times).map { Point(size: $0, nanoseconds: $1.min() ?? .nan) })
  }
}
