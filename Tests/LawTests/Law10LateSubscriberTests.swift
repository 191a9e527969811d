import Probes
import Signals
import Testing

@Suite("Law 10: late subscribers")
struct Law10LateSubscriberTests {
  @Test(
    "Law 10: they get the same end at once", arguments: [Event<Int>.finished, .failed(Failure(number: 4))], [0, 2])
  func sameEnd(end: Event<Int>, replay: Int) {
    let emitter = Emitter<Int>(replay: replay)
    for value in 1...3 { emitter.send(value) }
    emitter.send(event: end)
    for _ in 0..<2 {
      let log = EventLog<Int>()
      let life = LifeCount()
      var token: LifeCount.Token? = life.token()
      let subscription = emitter.signal.subscribeToEvents { [token] event in
        token?.touch()
        log.append(event)
      }.retained()
      token = nil
      #expect(log.events == (replay == 0 ? [] : [.value(2), .value(3)]) + [end])
      #expect(subscription.isDisposed)
      #expect(life.alive == 0)
      #expect(token == nil)
    }
    #expect(emitter.subscriberCount == 0)
  }

  @Test("Law 10: who subscribes inside the end's handler too")
  func insideEnd() {
    let emitter = Emitter<Int>()
    let log = EventLog<Int>()
    let bag = DisposeBag()
    emitter.signal.subscribeToEvents { _ in emitter.signal.log(to: log).store(in: bag) }.store(in: bag)
    emitter.finish()
    #expect(log.events == [.finished])
  }
}
