/// A ``StageList`` and the type of what comes out of it.
@usableFromInline
final class StageRun<Output: Sendable>: StageList, @unchecked Sendable {
  // Safe: as in the superclass.

  /// Connects what takes the values that come out of the run.
  @inlinable
  func attach(_ observer: consuming Observer<Output>, _ subscription: Subscription) {
    #if !SIGNALS_WITHOUT_GRAPH
      if let record = subscription.trace { return attachTraced(observer, subscription, record, subscriber: nil) }
    #endif
    let receive = observer.receive
    let receiver: @Sendable (UnsafeRawPointer) throws -> Void
    if isUsual {
      receiver = { input in
        try StageList.withUsualPlace { memory in
          if try self.pass(input, memory) { try self.deliver(memory, receive) }
        }
      }
    } else {
      receiver = { input in
        try self.withPlace { memory in
          if try self.pass(input, memory) { try self.deliver(memory, receive) }
        }
      }
    }
    connect(StageInput(receive: receiver, end: observer.end), subscription)
  }

  /// Does the same while the graph is on.
  ///
  /// - Parameter subscriber: Where the subscriber is written, if the observer is that: it then needs no tap of its own.
  @inlinable
  func attachTraced(
    _ observer: consuming Observer<Output>, _ subscription: Subscription, _ record: ChainRecord, subscriber: Site?
  ) {
    let tap = StageRunTap(self, subscriber: subscriber, record, observer)
    let receiver: @Sendable (UnsafeRawPointer) throws -> Void
    if isUsual {
      receiver = { input in
        // Not `Self`: the closure would capture this too, and need memory for the two.
        try StageList.withUsualPlace { memory in
          if try tap.run.pass(input, memory, counting: tap) { try tap.run.deliver(memory, tap.next.receive) }
        }
      }
    } else {
      receiver = { input in
        try tap.run.withPlace { memory in
          if try tap.run.pass(input, memory, counting: tap) { try tap.run.deliver(memory, tap.next.receive) }
        }
      }
    }
    connect(StageInput(receive: receiver, end: tap.end), subscription)
  }

  /// Connects what takes the values that come out of the run, by pointer.
  @usableFromInline
  func attach(_ input: consuming StageInput, _ subscription: Subscription) {
    let receive = input.receive
    let tap = subscription.trace.map { StagePointerTap(self, $0, end: input.end) }
    connect(
      StageInput(
        receive: { input in
          try self.withPlace { memory in
            let isPassed =
              if let tap { try self.pass(input, memory, counting: tap) } else { try self.pass(input, memory) }
            guard isPassed else { return }
            defer { memory.assumingMemoryBound(to: Output.self).deinitialize(count: 1) }
            try receive(memory)
          }
        }, end: tap?.end ?? input.end), subscription)
  }

  /// Hands on the output in memory, and leaves the memory empty.
  @inlinable
  @inline(__always)
  func deliver(_ memory: UnsafeMutableRawPointer, _ receive: @Sendable (Output) throws -> Void) throws {
    let output = memory.assumingMemoryBound(to: Output.self)
    defer { output.deinitialize(count: 1) }
    try receive(output.pointee)
  }
}

/// An observer of values whose type only the closure that connects it knows.
@usableFromInline
struct StageInput: Sendable {
  /// Takes a pointer to a value, which is valid during the call.
  @usableFromInline let receive: @Sendable (UnsafeRawPointer) throws -> Void
  @usableFromInline let end: @Sendable (Completion) -> Void

  @inlinable
  init(
    receive: @escaping @Sendable (UnsafeRawPointer) throws -> Void, end: @escaping @Sendable (Completion) -> Void
  ) {
    self.receive = receive
    self.end = end
  }

  /// The same as an observer that knows the type.
  @inlinable
  func observer<Value>(of type: Value.Type) -> Observer<Value> {
    let receive = self.receive
    return Observer(receive: { value in try withUnsafePointer(to: value) { try receive($0) } }, end: end)
  }
}
