import SignalTesting
import Signals
import Testing

@testable import SearchFieldMended

@Test func whatStaysTheSameIsSearchedFor() {
  marbles { m in
    let texts = m.hot("-aabbbbbbbb|")
    m.expect(searches(texts: texts.signal, pause: .milliseconds(3), on: m.scheduler), "------b----|")
  }
}
