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
        // "Unprotected" leaves out the check whether a write went too far: every stage writes a value that fits.
        try _withUnprotectedUnsafeTemporaryAllocation(
          byteCount: StagePlace.usualSize, alignment: StagePlace.usualAlignment
        ) { memory in
          let place = StagePlace(memory)
          if try self.pass(input, place) { try self.deliver(place, receive) }
        }
      }
    } else {
      receiver = { input in
        try withUnsafeTemporaryAllocation(byteCount: self.placeSize, alignment: self.placeAlignment) { memory in
          let place = StagePlace(memory)
          if try self.pass(input, place) { try self.deliver(place, receive) }
        }
      }
    }
    entrance.connect(StageInput(receive: receiver, end: observer.end), subscription)
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
        try _withUnprotectedUnsafeTemporaryAllocation(
          byteCount: StagePlace.usualSize, alignment: StagePlace.usualAlignment
        ) { memory in
          let place = StagePlace(memory)
          if try tap.run.pass(input, place, counting: tap) { try tap.run.deliver(place, tap.next.receive) }
        }
      }
    } else {
      receiver = { input in
        try withUnsafeTemporaryAllocation(byteCount: tap.run.placeSize, alignment: tap.run.placeAlignment) { memory in
          let place = StagePlace(memory)
          if try tap.run.pass(input, place, counting: tap) { try tap.run.deliver(place, tap.next.receive) }
        }
      }
    }
    entrance.connect(StageInput(receive: receiver, end: tap.end), subscription)
  }

  /// Connects what takes the values that come out of the run, by pointer.
  @usableFromInline
  func attach(_ input: consuming StageInput, _ subscription: Subscription) {
    let receive = input.receive
    let tap = subscription.trace.map { StagePointerTap(self, $0, end: input.end) }
    entrance.connect(
      StageInput(
        receive: { input in
          try withUnsafeTemporaryAllocation(byteCount: self.placeSize, alignment: self.placeAlignment) { memory in
            let place = StagePlace(memory)
            let isPassed =
              if let tap { try self.pass(input, place, counting: tap) } else { try self.pass(input, place) }
            guard isPassed else { return }
            defer { place.address.assumingMemoryBound(to: Output.self).deinitialize(count: 1) }
            try receive(place.address)
          }
        }, end: tap?.end ?? input.end), subscription)
  }

  /// Hands on the output in a place, and leaves the place empty.
  @inlinable
  @inline(__always)
  func deliver(_ place: StagePlace, _ receive: @Sendable (Output) throws -> Void) throws {
    let output = place.address.assumingMemoryBound(to: Output.self)
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
