import Dispatch
import Limits
import Measuring
import OpenCombine
import OpenCombineDispatch
import Results
import Signals

/// Values handed to a scheduler.
enum HopRows {
  static let all = [
    virtual(burst: 1, called: "hop, one by one, virtual time"),
    virtual(burst: 1_000, called: "hop, bursts of 1,000, virtual time"),
    queue(burst: 1, called: "hop, one by one, a queue", operations: 20_000),
    queue(burst: 1_000, called: "hop, bursts of 1,000, a queue", operations: 200_000),
    busyQueue,
  ]

  /// So many values are sent, and then delivered.
  private static func virtual(burst: Int, called name: String) -> Row {
    Row(
      name, operations: 100_000, goal: 1.5, batch: burst,
      [
        .signals {
          let sum = Sum()
          let scheduler = VirtualTimeScheduler()
          let emitter = Emitter<Int>()
          let subscription = emitter.signal.receive(on: scheduler).subscribe { sum.value &+= $0 }
          return Row.Run(
            perform: { count in
              for _ in 0..<count / burst {
                for value in 0..<burst { emitter.send(value) }
                do { try scheduler.advance() } catch { print(error) }
              }
            }, result: { withExtendedLifetime(subscription) { sum.value } })
        },
        .limit {
          let sum = Sum()
          let timers = ClosureTimers()
          let hop = ClosureHop<Int> {
            _ = timers.schedule(after: 0, $0)
          } _: {
            sum.value &+= $0
          }
          return Row.Run(
            perform: { count in
              for _ in 0..<count / burst {
                for value in 0..<burst { hop.send(value) }
                timers.advance(by: 0)
              }
            }, result: { sum.value })
        },
      ])
  }

  /// Bursts of 100 are sent on the queue itself, each by a job of its own: so no thread has to be woken, and what is measured is the hop alone,
  /// with the sending and with one job of the queue for the burst and one for who sends it.
  private static var busyQueue: Row {
    let burst = 100
    return Row(
      "hop, bursts of 100, a busy queue", operations: 100_000,
      goals: Goals(timesLimit: 1.5, nanoseconds: 60, blocks: 0.1), batch: burst,
      [
        .signals {
          let sum = Sum()
          let emitter = Emitter<Int>()
          let queue = DispatchQueue(label: "hop")
          let subscription = emitter.signal.receive(on: .queue(queue)).subscribe { sum.value &+= $0 }
          let steps = QueueSteps(on: queue) { for value in 1...burst { emitter.send(value) } }
          return Row.Run(
            perform: { steps.perform($0 / burst) }, result: { withExtendedLifetime(subscription) { sum.value } })
        },
        .limit {
          let sum = Sum()
          let queue = DispatchQueue(label: "hop")
          let hop = ClosureHop<Int> {
            queue.async(execute: $0)
          } _: {
            sum.value &+= $0
          }
          let steps = QueueSteps(on: queue) { for value in 1...burst { hop.send(value) } }
          return Row.Run(perform: { steps.perform($0 / burst) }, result: { sum.value })
        },
        .openCombine {
          let sum = Sum()
          let subject = PassthroughSubject<Int, Never>()
          let queue = DispatchQueue(label: "hop")
          let subscription = subject.receive(on: queue.ocombine).sink { sum.value &+= $0 }
          let steps = QueueSteps(on: queue) { for value in 1...burst { subject.send(value) } }
          return Row.Run(
            perform: { steps.perform($0 / burst) }, result: { withExtendedLifetime(subscription) { sum.value } })
        },
      ])
  }

  /// So many values are sent while the queue takes them; the next ones follow when the last has come.
  private static func queue(burst: Int, called name: String, operations: Int) -> Row {
    Row(
      name, operations: operations, goal: 1.5, batch: burst,
      [
        .signals {
          let sum = Sum()
          let last = DispatchSemaphore(value: 0)
          let emitter = Emitter<Int>()
          let queue = DispatchQueue(label: "hop")
          let subscription = emitter.signal.receive(on: .queue(queue)).subscribe {
            sum.value &+= $0
            if $0 == burst { last.signal() }
          }
          return Row.Run(
            perform: { count in
              for _ in 0..<count / burst {
                for value in 1...burst { emitter.send(value) }
                last.wait()
              }
            }, result: { withExtendedLifetime(subscription) { sum.value } })
        },
        .limit {
          let sum = Sum()
          let last = DispatchSemaphore(value: 0)
          let queue = DispatchQueue(label: "hop")
          let hop = ClosureHop<Int> {
            queue.async(execute: $0)
          } _: {
            sum.value &+= $0
            if $0 == burst { last.signal() }
          }
          return Row.Run(
            perform: { count in
              for _ in 0..<count / burst {
                for value in 1...burst { hop.send(value) }
                last.wait()
              }
            }, result: { sum.value })
        },
      ])
  }
}
