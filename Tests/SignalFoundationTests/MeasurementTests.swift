import Foundation
import SignalFoundation
import Testing

/// Durations with a unit.
@Suite("measurements")
struct MeasurementTests {
  @Test("a duration of a measurement, and back")
  func durations() {
    #expect(Duration(Measurement(value: 1.5, unit: UnitDuration.minutes)) == .seconds(90))
    #expect(Duration(Measurement(value: -0.25, unit: UnitDuration.seconds)) == .milliseconds(-250))
    #expect(Duration(Measurement(value: 86_400.5, unit: UnitDuration.seconds)) == .milliseconds(86_400_500))
    #expect(Measurement(Duration.milliseconds(1_500)) == Measurement(value: 1.5, unit: UnitDuration.seconds))
  }

  @Test("what is too long, and what is not a number, do not trap")
  func limits() {
    #expect(Duration(Measurement(value: .infinity, unit: UnitDuration.seconds)) == Duration(attoseconds: .max))
    #expect(Duration(Measurement(value: -.infinity, unit: UnitDuration.hours)) == Duration(attoseconds: .min))
    #expect(Duration(Measurement(value: 1e300, unit: UnitDuration.hours)) == Duration(attoseconds: .max))
    #expect(Duration(Measurement(value: .nan, unit: UnitDuration.seconds)) == .zero)
    #expect(Measurement(Duration(attoseconds: .max)).value == Double(Int128.max) / 1e18)
    #expect(Measurement(Duration(attoseconds: .min)).value == Double(Int128.min) / 1e18)
  }
}
