import Foundation
import Signals

/// A report is written anew with every change, on the queue that draws the windows.
struct ReportOnTheMainQueue: Fault {
  func start(_ clock: Signal<Int>, in bag: DisposeBag) {
    clock.receive(on: .main).subscribe { number in
      // The fault: this takes long, and nobody can click meanwhile.
      var words = 0
      for line in 0..<4_000 { words += "line \(line) of report \(number)".split(separator: " ").count }
      if words < 0 { print(words) }
    }.store(in: bag)
  }
}
