import Foundation

/// A power of the size that fits measured times best: least squares over the logarithms.
package struct PowerFit: Codable {
  package var exponent: Double
  /// The fitted time at size 1.
  package var coefficient: Double

  package init(_ points: [(size: Double, time: Double)]) {
    let logarithms = points.map { (log($0.size), log($0.time)) }
    let count = Double(points.count)
    let meanSize = logarithms.map(\.0).reduce(0, +) / count
    let meanTime = logarithms.map(\.1).reduce(0, +) / count
    let covariance = logarithms.map { ($0.0 - meanSize) * ($0.1 - meanTime) }.reduce(0, +)
    let variance = logarithms.map { ($0.0 - meanSize) * ($0.0 - meanSize) }.reduce(0, +)
    exponent = covariance / variance
    coefficient = exp(meanTime - exponent * meanSize)
  }

  /// The fitted time at a size.
  package func time(at size: Double) -> Double { coefficient * pow(size, exponent) }

  /// The largest exponent over any three neighbouring points of the upper half, where a late bend shows that the fit over all points hides.
  package static func steepest(_ points: [(size: Double, time: Double)]) -> Double {
    let first = max(0, min(points.count / 2 - 1, points.count - 3))
    return (first...points.count - 3).map { PowerFit(Array(points[$0..<$0 + 3])).exponent }.max() ?? .infinity
  }
}
