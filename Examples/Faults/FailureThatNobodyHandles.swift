import Signals

/// The connection breaks, and with it the list stops for ever; no one is told.
struct FailureThatNobodyHandles: Fault {
  private struct ConnectionLost: Error {}

  private let answers = Emitter<Int>()

  func start(_ clock: Signal<Int>, in bag: DisposeBag) {
    // The fault: nobody says what is to happen when the connection breaks.
    answers.signal.scan(0, +).subscribe { _ in }.store(in: bag)
    clock.prefix(10).subscribe(
      onValue: { [answers] in answers.send($0) }, onFinish: { [answers] in answers.fail(ConnectionLost()) }
    ).store(in: bag)
  }
}
