public import SignalGraph
public import Synchronization

extension Junction {
  /// Connects a signal whose events run outside the gate, on the sender's thread: they may leave something for a ``Hop``, and do nothing else.
  @inlinable
  func connectOutside<Input>(
    _ signal: Signal<Input>, as kind: Edge.Kind = .hop,
    receive: @escaping @Sendable (Input) -> Void,
    end: @escaping @Sendable (Completion) -> Void
  ) {
    let child = Subscription(isShared: true)
    let key = reserveKey()
    // Before anybody else has the child.
    if let trace { child.beginTrace(below: trace, as: kind, room: signal.nodeRoom) }
    defer { if trace != nil { child.traceConnected() } }
    guard adopt(child, as: key) else { return }
    signal.connect(
      Observer(
        receive: { value in
          if !self.isClosed.load(ordering: .relaxed) { receive(value) }
        },
        end: { completion in
          self.drop(key)
          end(completion)
        }),
      child)
  }

  /// Connects a signal whose events run inside another gate than the junction's, one that an operator shares with its timers.
  @inlinable
  func connect<Input>(
    _ signal: Signal<Input>, through gate: Gate, as kind: Edge.Kind = .hop,
    receive: @escaping @Sendable (Input) -> Void,
    end: @escaping @Sendable (Completion) -> Void
  ) {
    connectOutside(signal, as: kind) { value in
      if gate.enter() {
        receive(value)
        gate.leave()
      } else {
        gate.perform { receive(value) }
      }
    } end: { completion in
      gate.perform { end(completion) }
    }
  }
}
