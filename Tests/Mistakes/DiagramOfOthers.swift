import SignalTesting
import Signals

struct Reading: Sendable { var celsius = 0.0 }

func testReadings() {
  marbles { m in
    let readings = m.hot("-a-b-|").signal.map { _ in Reading() }
    m.expect(readings, "-x-x-|", values: ["x": Reading()])  // error: These values are not Equatable
  }
}
