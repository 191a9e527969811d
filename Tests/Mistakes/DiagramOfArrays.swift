import SignalTesting
import Signals

func testArrays() {
  marbles { m in
    let letters = m.hot("-a-b-|")
    m.expect(letters.signal.collect(), "-----(x|)")  // error: pass a map with values:
  }
}
