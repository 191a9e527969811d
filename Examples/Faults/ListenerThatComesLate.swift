import Signals

/// The settings are read once, at the start; who asks for them later gets none.
struct ListenerThatComesLate: Fault {
  private let settings = Emitter<[String: String]>()

  func start(_ clock: Signal<Int>, in bag: DisposeBag) {
    settings.signal.subscribe { _ in }.store(in: bag)
    settings.send(["language": "en"])
    settings.finish()
    clock.first().subscribe { [settings] _ in
      // The fault: the settings came before this, and are not remembered.
      settings.signal.map { $0["language"] }.subscribe { print("language: \($0 ?? "none")") }.store(in: bag)
    }.store(in: bag)
  }
}
