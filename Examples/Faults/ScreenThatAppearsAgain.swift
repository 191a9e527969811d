import Signals

/// A screen subscribes each time it appears, and is one and the same screen.
struct ScreenThatAppearsAgain: Fault {
  private final class Screen: Sendable {
    let titles = Emitter<String>()
    private let title = Property("")

    func viewDidAppear() {
      // The fault: what was made when the screen appeared before is still there.
      titles.signal.subscribe(with: self) { screen, title in screen.title.value = title }
    }
  }

  private let screen = Screen()

  func start(_ clock: Signal<Int>, in bag: DisposeBag) {
    clock.filter { $0 % 40 == 0 }.prefix(3).subscribe { [screen] _ in screen.viewDidAppear() }.store(in: bag)
    clock.filter { $0 % 20 == 0 }.subscribe { [screen] in screen.titles.send("page \($0)") }.store(in: bag)
  }
}
