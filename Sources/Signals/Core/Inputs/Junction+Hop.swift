public import Synchronization

extension Junction {
  /// Sets the scheduler of the operator's work, and its repeated delay. Once, when the operator is connected; a ``Hop``
  /// does it itself.
  @inlinable
  func works(on scheduler: any Scheduler, interval: Duration? = nil) {
    node.note(scheduler, interval: interval)
  }

  /// Runs work once on a scheduler, as soon as possible and outside the gate, unless the operator has ended by then.
  @usableFromInline
  func schedule(on scheduler: any Scheduler, _ work: @escaping @Sendable () -> Void) {
    works(on: scheduler)
    let connection = ScheduledConnection(on: scheduler, of: node, work) { [weak self] in self?.abandon() }
    if adopt(connection, as: reserveKey()) { connection.request() }
  }

  /// Connects a signal whose events run outside the gate, on the sender's thread: they may enqueue something for a
  /// ``Hop``, and do nothing else.
  @inlinable
  func connectOutside<Input>(
    _ signal: Signal<Input>, as role: InputRole = .hop,
    receive: @escaping @Sendable (Input) -> Void,
    end: @escaping @Sendable (Completion) -> Void
  ) {
    let key = reserveKey()
    connect(
      signal, as: role, key: key,
      Observer(
        receive: { value in
          if !self.isClosed.load(ordering: .relaxed) { receive(value) }
        },
        end: { completion in
          self.drop(key)
          end(completion)
        }))
  }

  /// Connects a signal whose values are enqueued for a hop on the sender's thread, outside the gate.
  @inlinable
  func connect(_ signal: Signal<Output>, to hop: Hop<Output>) {
    let key = reserveKey()
    connect(
      signal, as: .hop, key: key,
      Observer(
        receive: { value in
          if hop.take(value) { return }
          // The failure comes behind the waiting events; the source is unsubscribed now.
          self.drop(key)
          throw StopDelivery()
        },
        end: { completion in
          self.drop(key)
          hop.send(Event(completion))
        }))
  }

  /// Connects a signal whose events run inside a hop's own gate, which its timers enter too.
  @inlinable
  func connect<Input>(
    _ signal: Signal<Input>, through gate: Gate, as role: InputRole = .hop,
    receive: @escaping @Sendable (Input) -> Void,
    end: @escaping @Sendable (Completion) -> Void
  ) {
    let key = reserveKey()
    connect(
      signal, as: role, key: key,
      Observer(
        receive: { value in
          if self.isClosed.load(ordering: .relaxed) { return }
          if gate.enter() {
            receive(value)
            gate.leave()
          } else {
            gate.perform { receive(value) }
          }
        },
        end: { completion in
          self.drop(key)
          gate.perform { end(completion) }
        }))
  }
}
