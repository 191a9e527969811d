import Probes
import Signals
import Testing

@Suite("Law 8: no collateral")
struct Law08CollateralTests {
  @Test("Law 8: a branch that ends in any way leaves its siblings and the source alone", arguments: [0, 2])
  func siblings(replay: Int) {
    let emitter = Emitter<Int>(replay: replay)
    let log = EventLog<Int>()
    let bag = DisposeBag()
    emitter.signal.prefix(1).subscribe { _ in }.store(in: bag)
    emitter.signal.map { _ -> Int in throw Failure() }.subscribe(onFailure: { _ in }).store(in: bag)
    emitter.signal.log(to: log).store(in: bag)
    emitter.signal.flatMap { _ in Signal<Int>.fail(Failure()) }.subscribe(onFailure: { _ in }).store(in: bag)
    emitter.signal.timeout(after: .zero, on: .immediate).subscribe(onFailure: { _ in }).store(in: bag)
    for value in 1...3 { emitter.send(value) }
    #expect(log.events == [.value(1), .value(2), .value(3)])
    #expect(emitter.subscriberCount == 1)
  }
}
