import Foundation
import Signals

/// A report is written anew twice a second, on the queue that draws the windows.
struct ReportOnTheMainQueue: Fault {
  func start(_ clock: Signal<Int>, in bag: DisposeBag) {
    // The fault: this needs 150 ms of the processor, and nobody can click meanwhile.
    clock.filter { $0 % 10 == 0 }.receive(on: .main).subscribe { number in
      // Microseconds of the processor: a busy machine does not shorten the work.
      let end = Foundation.clock() + 150_000
      var words = 0
      while Foundation.clock() < end { words += "a line of report \(number)".split(separator: " ").count }
      if words < 0 { print(words) }
    }.store(in: bag)
  }
}
