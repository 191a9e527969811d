import SignalTesting
import Signals

/// Operators that wait for signals which are made of the values, or subscribe again.
enum TriggerModels {
  static let all: [LibraryModel] = waiting + throttling + again

  private static let waiting: [LibraryModel] = [
    LibraryModel("delay(by:)", inners: 3) { upstream, inputs in
      upstream.delay(by: inputs.inner)
    } reference: { events, inputs in
      ListRun.events { run in
        var (waiting, isOuterOver) = (0, false)
        func leaveOne() {
          waiting -= 1
          if isOuterOver, waiting == 0 { run.send(.finished) }
        }
        run.subscribe(toInput: 0, events) { event, _ in
          switch event {
          case .value(let value):
            waiting += 1
            run.subscribe(inputs.inner(value)) { trigger, subscription in
              switch trigger {
              case .value:
                run.leave(subscription)
                run.send(event)
                leaveOne()
              case .failed: run.send(trigger)
              case .finished: leaveOne()
              }
            }
          case .failed: run.send(event)
          case .finished:
            isOuterOver = true
            if waiting == 0 { run.send(event) }
          }
        }
      }
    },
    LibraryModel("debounce(by:)", inners: 3) { upstream, inputs in
      upstream.debounce(by: inputs.inner)
    } reference: { events, inputs in
      ListRun.events { run in
        var waiting: Int?
        var trigger: Int?
        run.subscribe(toInput: 0, events) { event, _ in
          switch event {
          case .value(let value):
            run.leave(trigger)
            waiting = value
            trigger = run.subscribe(inputs.inner(value)) { answer, subscription in
              switch answer {
              case .value:
                run.leave(subscription)
                waiting = nil
                run.send(event)
              case .failed: run.send(answer)
              case .finished: break
              }
            }
          case .failed: run.send(event)
          case .finished:
            if let waiting { run.send(.value(waiting)) }
            run.send(event)
          }
        }
      }
    },
    LibraryModel("audit(by:)", inners: 3) { upstream, inputs in
      upstream.audit(by: inputs.inner)
    } reference: { events, inputs in
      ListRun.events { run in
        var newest: Int?
        var isOuterOver = false
        run.subscribe(toInput: 0, events) { event, _ in
          switch event {
          case .value(let value):
            let isWaiting = newest != nil
            newest = value
            if isWaiting { return }
            run.subscribe(inputs.inner(value)) { answer, subscription in
              if case .failed = answer { return run.send(answer) }
              run.leave(subscription)
              if case .value = answer, let newest { run.send(.value(newest)) }
              newest = nil
              if isOuterOver { run.send(.finished) }
            }
          case .failed: run.send(event)
          case .finished:
            isOuterOver = true
            if newest == nil { run.send(event) }
          }
        }
      }
    },
  ]

  private static let throttling: [LibraryModel] = [
    ("leading", ThrottleEdges.leading), ("trailing", .trailing), ("both", [.leading, .trailing]), ("none", []),
  ].map { name, edges in
    LibraryModel("throttle(by:), \(name)", inners: 3) { upstream, inputs in
      upstream.throttle(edges: edges, by: inputs.inner)
    } reference: { events, inputs in
      ListRun.events { run in
        var waiting: Int?
        var (isResting, isOuterOver) = (false, false)
        func rest(_ value: Int) {
          isResting = true
          run.subscribe(inputs.inner(value)) { answer, subscription in
            if case .failed = answer { return run.send(answer) }
            run.leave(subscription)
            isResting = false
            let last = waiting
            waiting = nil
            if case .value = answer, let last {
              run.send(.value(last))
              if !isOuterOver { rest(last) }
            }
            if isOuterOver { run.send(.finished) }
          }
        }
        run.subscribe(toInput: 0, events) { event, _ in
          switch event {
          case .value(let value):
            if isResting {
              if edges.contains(.trailing) { waiting = value }
            } else {
              if edges.contains(.leading) { run.send(event) } else if edges.contains(.trailing) { waiting = value }
              rest(value)
            }
          case .failed: run.send(event)
          case .finished:
            isOuterOver = true
            if waiting == nil { run.send(event) }
          }
        }
      }
    }
  }

  /// What is subscribed to again is the first of the inner signals.
  private static let again: [LibraryModel] = [
    LibraryModel("retry", inners: 1) { _, inputs in
      inputs.inners[0].retry(2)
    } reference: { _, inputs in
      attempts(inputs, while: { $0.isFailure }, last: 3, again: { $1() })
    },
    LibraryModel("repeat", inners: 1) { _, inputs in
      inputs.inners[0].repeat(3)
    } reference: { _, inputs in
      attempts(inputs, while: { !$0.isFailure }, last: 3, again: { $1() })
    },
    LibraryModel("retry(after:)", inners: 1) { _, inputs in
      inputs.inners[0].retry(2, after: .linear(first: .milliseconds(2), step: .milliseconds(3)), on: inputs.scheduler)
    } reference: { _, inputs in
      attempts(inputs, while: { $0.isFailure }, last: 3) { $0.after(.milliseconds(3 * $0.attemptCount - 1), $1) }
    },
    LibraryModel("repeat(after:)", inners: 1) { _, inputs in
      inputs.inners[0].repeat(3, after: TimeModels.wait, on: inputs.scheduler)
    } reference: { _, inputs in
      attempts(inputs, while: { !$0.isFailure }, last: 3) { $0.after(TimeModels.wait, $1) }
    },
    LibraryModel("retry(when:)", inners: 1) { _, inputs in
      inputs.inners[0].retry(when: { [scheduler = inputs.scheduler] failures in
        failures.prefix(2).flatMap { _ in Signal.timer(after: TimeModels.wait, on: scheduler) }
      })
    } reference: { _, inputs in
      // With the second timer the signal is over that says when, and so all is, but for what the third attempt sends at once.
      attempts(inputs, while: { $0.isFailure }, last: .max) { run, attempt in
        if run.attemptCount == 3 { return }
        run.after(TimeModels.wait) {
          attempt()
          if run.attemptCount == 3 { run.send(.finished) }
        }
      }
    },
  ]

  /// So many attempts, each begun after an end of the kind that asks for another.
  private static func attempts(
    _ inputs: ModelEvents, while goesOn: @escaping (ReceivedEvent<Int>) -> Bool, last: Int,
    again: @escaping (ListRun, @escaping () -> Void) -> Void
  ) -> [TimedEvent<Int>] {
    ListRun.events { run in
      func attempt() {
        run.attemptCount += 1
        run.subscribe(inputs.inners[0]) { event, _ in
          if event.isEnd, goesOn(event), run.attemptCount < last { again(run, attempt) } else { run.send(event) }
        }
      }
      attempt()
    }
  }
}

extension ReceivedEvent {
  var isFailure: Bool { if case .failed = self { true } else { false } }
}
