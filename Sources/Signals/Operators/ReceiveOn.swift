import DequeModule
import SignalGraph

extension Signal {
  /// Delivers everything on a scheduler, in the same order (law 14).
  ///
  /// After the subscription was disposed, nothing that is still on its way is delivered.
  public func receive(
    on scheduler: any Scheduler,
    fileID: StaticString = #fileID, line: UInt = #line, function: StaticString = #function
  ) -> Signal<Value> {
    let upstream = self
    return Signal(site: Site("receive(on:)", fileID, line, function), recorder: recorder) { downstream, subscription in
      let junction = Junction(downstream, subscription)
      let waiting = SerialState(Deque<Event<Value>>())
      let hop: @Sendable (Event<Value>) -> Void = { event in
        waiting.value.append(event)
        WorkAuthor.by(junction.trace) {
          scheduler.schedule {
            junction.run {
              switch waiting.value.popFirst() {
              case .value(let value): junction.attempt { try junction.emit(value) }
              case .failed(let error): junction.end(.failed(error))
              case .finished: junction.end(.finished)
              case nil: break
              }
            }
          }
        }
      }
      junction.connect(upstream, as: .hop) { value in
        hop(.value(value))
      } end: { completion in
        hop(Event(completion))
      }
    }
  }
}
