import SignalTesting
import Signals

struct Reading: Sendable { var celsius = 0.0 }

func testReadings() {
  marbles { m in
    let letters = m.hot("-a-b-|")
    m.expect(letters.signal.map { _ in Reading() }, "-x-x-|", values: ["x": Reading()])  // error: These values are not Equatable
  }
}
