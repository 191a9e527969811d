import Signals

/// A report is written anew with every change, on the queue that draws the windows.
struct ReportOnTheMainQueue: Fault {
  func start(_ clock: Signal<Int>, in bag: DisposeBag) {
    // The fault: this takes 20 ms, and nobody can click meanwhile.
    clock.receive(on: .main).subscribe { number in
      let end = ContinuousClock.now + .milliseconds(20)
      var words = 0
      while ContinuousClock.now < end { words += "a line of report \(number)".split(separator: " ").count }
      if words < 0 { print(words) }
    }.store(in: bag)
  }
}
