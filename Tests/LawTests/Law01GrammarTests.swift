import Probes
import Signals
import Testing

@Suite("Law 1: value* (failed | finished)?")
struct Law01GrammarTests {
  @Test("Law 1: nothing comes after the end", arguments: [Event<Int>.finished, .failed(Failure())])
  func nothingAfterEnd(end: Event<Int>) {
    let emitter = Emitter<Int>()
    let log = EventLog<Int>()
    let subscription = emitter.signal.log(to: log)
    emitter.send(1)
    emitter.send(event: end)
    emitter.send(2)
    emitter.finish()
    emitter.fail(Failure(number: 2))
    #expect(log.events == [.value(1), end])
    #expect(subscription.isDisposed)
  }

  @Test("Law 1: the end inside a handler comes after what was sent before it", arguments: [0, 2])
  func endInHandler(replay: Int) {
    let emitter = Emitter<Int>(replay: replay)
    let logs = [EventLog<Int>(), EventLog<Int>()]
    let first = emitter.signal.subscribeToEvents { event in
      logs[0].append(event)
      guard event == .value(1) else { return }
      emitter.send(2)
      emitter.finish()
      emitter.send(3)
    }
    let second = emitter.signal.log(to: logs[1])
    emitter.send(1)
    for log in logs { #expect(log.events == [.value(1), .value(2), .finished]) }
    withExtendedLifetime((first, second)) {}
  }

  @Test("Law 1: a chain that throws while it is handed the memory of an ended emitter ends once")
  func throwingOnMemory() {
    let emitter = Emitter<Int>(replay: 2)
    emitter.send(1)
    emitter.send(2)
    emitter.finish()
    let log = EventLog<Int>()
    let plain = emitter.signal.map { _ -> Int in throw Failure() }.log(to: log)
    #expect(log.events == [.failed(Failure())])
    let handledLog = EventLog<Int>()
    let handled = emitter.signal.handle(onFinish: {}).map { _ -> Int in throw Failure() }.log(to: handledLog)
    #expect(handledLog.events == [.failed(Failure())])
    #expect(plain.isDisposed && handled.isDisposed)
  }

  @Test("Law 1: an emitter that goes away finishes its signal")
  func emitterGone() {
    let log = EventLog<Int>()
    var emitter: Emitter<Int>? = Emitter()
    let subscription = emitter?.signal.log(to: log)
    emitter?.send(1)
    emitter = nil
    #expect(log.events == [.value(1), .finished])
    withExtendedLifetime(subscription) {}
  }

  @Test("Law 1: an emitter that goes away inside its own handler delivers what was sent, and the end")
  func emitterGoneInHandler() {
    let log = EventLog<Int>()
    let box = Box<Emitter<Int>?>(Emitter())
    let subscription = box.value?.signal.subscribeToEvents { event in
      log.append(event)
      guard event == .value(1) else { return }
      box.value?.send(2)
      box.value = nil
    }
    box.value?.send(1)
    #expect(log.events == [.value(1), .value(2), .finished])
    withExtendedLifetime(subscription) {}
  }
}
