import Signals

/// A download shows how far it is, but never that it is done.
struct LastStepIsLost: Fault {
  func start(_ clock: Signal<Int>, in bag: DisposeBag) {
    clock.filter { $0 % 10 == 0 }.subscribe { _ in
      let download = DisposeBag()
      let progress = Emitter<Double>()
      // The fault: what is on its way to the main queue when the bag is closed never gets there.
      progress.signal.receive(on: .main).subscribe { _ in }.store(in: download)
      progress.send(1)
      download.close()
    }.store(in: bag)
  }
}
