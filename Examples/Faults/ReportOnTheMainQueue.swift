import Foundation
import Signals

/// A report is written anew twice a second, on the queue that draws the windows.
struct ReportOnTheMainQueue: Fault {
  func start(_ clock: Signal<Int>, in bag: DisposeBag) {
    // The fault: this needs 150 ms of the processor, and nobody can click meanwhile.
    clock.filter { $0 % 10 == 0 }.receive(on: .main).subscribe { number in
      let end = processorTime() + 0.15
      var words = 0
      while processorTime() < end { words += "a line of report \(number)".split(separator: " ").count }
      if words < 0 { print(words) }
    }.store(in: bag)
  }
}

/// The processor time of this thread, in seconds. Neither a busy machine nor another thread shortens the work.
private func processorTime() -> Double {
  var time = timespec()
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
  return Double(time.tv_sec) + Double(time.tv_nsec) / 1_000_000_000
}
