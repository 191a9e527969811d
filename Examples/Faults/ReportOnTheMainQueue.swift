import Foundation
import Signals

/// A report is written anew twice a second, on the queue that draws the windows.
struct ReportOnTheMainQueue: Fault {
  func start(_ clock: Signal<Int>, in bag: DisposeBag) {
    // The fault: this needs 150 ms of the processor, and nobody can click meanwhile.
    clock.filter { $0 % 10 == 0 }.receive(on: .main).subscribe { number in
      let end = Self.processorTime() + 0.15
      var words = 0
      while Self.processorTime() < end { words += "a line of report \(number)".split(separator: " ").count }
      if words < 0 { print(words) }
    }.store(in: bag)
  }

  /// The seconds in which this thread had a processor: a busy machine does not shorten the work.
  private static func processorTime() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }
}
