import Foundation

/// How the time of one operation grows with a size.
package struct Curve: Sendable {
  /// Names the picture's file.
  package let name: String
  package let title: String
  /// What the size counts.
  package let axis: String
  package let growth: Growth
  package let sizes: [Int]
  /// Sets up one size and returns what measures one operation, in nanoseconds.
  package let prepare: @Sendable (Int) -> () -> Double
}

/// How fast the time may grow.
package enum Growth: String, Codable, Sendable {
  case constant
  case linear
  /// The size times its logarithm; the logarithm is divided out before the exponent is fitted.
  case linearLogarithmic

  /// The largest exponent that is accepted.
  ///
  /// A constant cost may rise by 0.1, which is 2.5 times over four decades: what leaves the processor's caches costs that much. The logarithm
  /// of the size, the slowest real growth, already has 0.17 between 10 and 100,000.
  package var bound: Double { self == .constant ? 0.1 : 1.1 }

  /// The largest exponent that is accepted over any decade of the upper half.
  ///
  /// A decade in which the caches run out may cost three times as much (0.5). A bend to quadratic growth has 2 there.
  package var steepestBound: Double { self == .constant ? 0.5 : 1.5 }

  /// The time that is left to fit a power of the size to.
  package func reduced(_ nanoseconds: Double, size: Int) -> Double { nanoseconds / factor(size) }

  /// What the fitted power is multiplied with.
  package func factor(_ size: Int) -> Double { self == .linearLogarithmic ? max(1, log2(Double(size))) : 1 }
}
