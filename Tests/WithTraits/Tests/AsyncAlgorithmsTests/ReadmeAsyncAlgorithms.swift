import AsyncAlgorithms
import SignalTesting
import Testing

@Test func debouncesWhatIsMerged() {
  marbles { m in
    let keys = m.hot("  -a-b-----|").signal.values()
    let pasted = m.hot("--c----d-|").signal.values()
    m.expect(merge(keys, pasted).debounce(for: .milliseconds(2), clock: m.scheduler), "-----b---(d|)")
  }
}
