import Limits
import Measuring
import Results
import SignalTesting
import Signals

/// What virtual system time costs. One operation is one sleep, or one order.
enum SystemTimeRows {
  static let all = [sleep, order]

  private static let tasks = 100

  /// A hundred tasks, each of which sleeps a second in a loop. By hand that is an executor that ends sleeps in a heap: the runtime's own part.
  private static let sleep = Row(
    "Task.sleep in virtual system time, 100 tasks", operations: 100_000,
    goals: Goals(timesLimit: 2, timesFaster: nil, nanoseconds: 1_160), measuresGraph: false, batch: tasks,
    contenders)

  private static var contenders: [Row.Contender] {
    let signals = Row.Contender.signals {
      let count = Sum()
      return Row.Run(
        perform: { operations in
          try? withVirtualTime(systemTime: .virtual, workLimit: .max) { _ in await sleep(operations, count) }
        }, result: { count.value })
    }
    #if compiler(>=6.3) && compiler(<6.4) && os(Linux)
      let limit = Row.Contender.limit {
        let (count, loop) = (Sum(), SleepLoop())
        return Row.Run(
          perform: { operations in
            Task(executorPreference: loop) { await sleep(operations, count) }
            loop.run()
          }, result: { count.value })
      }
      return [signals, limit]
    #else
      return [signals]
    #endif
  }

  private static func sleep(_ operations: Int, _ count: Sum) async {
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<tasks {
        group.addTask {
          for _ in 0..<operations / tasks {
            try? await Task.sleep(for: .seconds(1))
            count.value &+= 1
          }
        }
      }
    }
  }

  private static let orders = 1_000

  /// Ten work items at one moment, in a thousand of their orders.
  private static let order = Row(
    "exploreInterleavings, 10 events at one moment, per order", operations: 5 * orders,
    goals: Goals(timesFaster: nil, nanoseconds: 25_000), measuresGraph: false, batch: orders,
    [
      .signals {
        let values = Sum()
        return Row.Run(
          perform: { count in
            for _ in 0..<count / orders {
              exploreInterleavings(orders: orders) { scheduler in
                for number in 1...10 { scheduler.schedule { values.value = values.value &* 7 &+ number } }
                try scheduler.run()
              }
            }
          }, result: { values.value })
      }
    ])
}
