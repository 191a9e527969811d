import Probes
import SignalTesting
import Signals
import Testing

private class Control: EventSource {
  let taps = Emitter<Int>()
}
private final class Button: Control {}
private struct Plain {
  let changes: Emitter<Int>
}

extension Events where Base: Control {
  fileprivate var taps: Signal<Int> { base.taps.signal }
  fileprivate static var name: Signal<String> { .just("\(Base.self)") }
}

extension Events where Base == Plain {
  fileprivate var changes: Signal<Int> { base.changes.signal }
}

/// Signals below `events`, as users add them.
@Suite("events")
struct EventsTests {
  @Test("an object, one of a subclass, a type, and a type that conforms to nothing")
  func places() {
    let button = Button()
    let log = EventLog<Int>()
    let subscription = button.events.taps.log(to: log)
    button.taps.send(1)
    #expect(log.values == [1])
    subscription.dispose()
    #expect(button.taps.subscriberCount == 0)
    let plain = Plain(changes: Emitter())
    let other = Events(plain).changes.log(to: log)
    plain.changes.send(2)
    #expect(log.values == [1, 2])
    other.dispose()
    let names = EventLog<String>()
    Button.events.name.log(to: names).dispose()
    #expect(names.events == [.value("Button"), .finished])
  }
}
