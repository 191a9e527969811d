import Limits
import Measuring
import OpenCombine
import Results
import Signals

/// Several values together.
///
/// An array has to be allocated, and so has a window; a group is opened once.
enum CollectingRows {
  static let all = [collect, window, grouped]

  static let collect = Row(
    "collect 10", operations: 200_000, goals: Goals(timesLimit: 1.5, blocks: 0.1, graphBlocks: 0.1),
    [
      .signals { signal, sum in signal.collect(10).subscribe { sum.value &+= $0[0] &+ $0[9] } },
      .limit { emitter, sum in
        let collect = ClosureCollect<Int>(10) { sum.value &+= $0[0] &+ $0[9] }
        emitter.add { collect.take($0) }
      },
      .openCombine { subject, sum in subject.collect(10).sink { sum.value &+= $0[0] &+ $0[9] } },
    ])

  static let window = Row(
    "window 100", operations: 200_000, goals: Goals(timesLimit: 1.5),
    [
      .signals { signal, sum in
        signal.window(100).subscribe { window in window.subscribe { sum.value &+= $0 }.retained() }
      },
      .limit { emitter, sum in
        let windows = ClosureWindows<Int>(100) { window in window.add { sum.value &+= $0 } }
        emitter.add { windows.take($0) }
      },
    ])

  static let grouped = Row(
    "grouped by 10 keys", operations: 200_000, goals: .synchronous(timesLimit: 1.5),
    [
      .signals { signal, sum in
        signal.grouped { $0 % 10 }.subscribe { group in group.signal.subscribe { sum.value &+= $0 }.retained() }
      },
      .limit { emitter, sum in
        let groups = ClosureGroups<Int, Int>(by: { $0 % 10 }) { _, group in group.add { sum.value &+= $0 } }
        emitter.add { groups.take($0) }
      },
    ])
}
