extension Signal {
  /// Calls closures with the events, and passes everything on unchanged.
  ///
  /// ![handle, as a marble diagram](handle-onSubscribe-onValue-onFailure-onFinish-onDispose)
  ///
  /// ```text
  /// source   -a-b-|
  ///          source.handle(onFinish: { print(0) })
  /// result   -a-b-|
  /// ```
  ///
  /// ```swift
  /// let bag = DisposeBag()
  /// let download = Emitter<Int>()
  /// download.signal
  ///   .handle(
  ///     onSubscribe: { print("begins") },
  ///     onValue: { print("\($0) %") },
  ///     onFailure: { error in print("failed: \(error)") },
  ///     onFinish: { print("done") },
  ///     onDispose: { print("given up") }
  ///   )
  ///   .subscribe(onFailure: { _ in })
  ///   .store(in: bag)
  /// ```
  ///
  /// - **Errors:** an error that `onValue` throws fails the result; `onFailure` is not called with it, but `onDispose` is called.
  /// - **Ends:** with this signal. Each call of `onSubscribe` is matched by one of `onFailure`, `onFinish` or
  ///   `onDispose`.
  /// - **Order and threads:** `onSubscribe` is called on the subscribing thread, `onDispose` on the thread that disposes, even while another
  ///   thread is in one of the others; these are called on the thread that delivers, one at a time.
  /// - **Allocations:** none for a value.
  /// - Parameters:
  ///   - onSubscribe: Called when a subscription begins, before it reaches the source.
  ///   - onValue: Called with each value, before it is passed on.
  ///   - onFailure: Called with the failure of upstream, before it is passed on.
  ///   - onFinish: Called at the regular end, before it is passed on.
  ///   - onDispose: Called when this signal is unsubscribed before its end, just before it is: because the subscriber
  ///     disposes or releases its subscription, because an operator below takes no more values, or because a closure
  ///     threw.
  ///
  /// See also ``handle(fileID:line:function:_:)`` for values alone, and ``print(_:to:fileID:line:function:)``.
  @inlinable
  public func handle(
    fileID: StaticString = #fileID, line: UInt = #line, function: StaticString = #function,
    onSubscribe: (@Sendable () -> Void)? = nil,
    onValue: (@Sendable (Value) throws -> Void)? = nil,
    onFailure: (@Sendable (any Error) -> Void)? = nil,
    onFinish: (@Sendable () -> Void)? = nil,
    onDispose: (@Sendable () -> Void)? = nil
  ) -> Signal<Value> {
    handled(
      Site("handle", behavior: [.passesOn, .atMostOne], fileID: fileID, line: line, function: function),
      onSubscribe: onSubscribe, onValue: onValue, onFailure: onFailure, onFinish: onFinish, onDispose: onDispose)
  }

  /// Calls a closure with each value, and passes everything on unchanged.
  ///
  /// ![handle, as a marble diagram](handle)
  ///
  /// ```text
  /// source   -a-b-|
  ///          source.handle { print($0) }
  /// result   -a-b-|
  /// ```
  ///
  /// ```swift
  /// let bag = DisposeBag()
  /// let orders = Emitter<Int>()
  /// orders.signal
  ///   .handle { number in print("order \(number)") }
  ///   .filter { $0 > 100 }
  ///   .subscribe { number in print("a big number: \(number)") }
  ///   .store(in: bag)
  /// ```
  ///
  /// - **Errors:** an error that the closure throws fails the result.
  /// - **Ends:** with this signal.
  /// - **Order and threads:** one value at a time, in the order of this signal, on the thread that delivers it.
  /// - **Allocations:** none for a value.
  /// - Parameter onValue: Called with each value, before it is passed on.
  ///
  /// See also ``handle(fileID:line:function:onSubscribe:onValue:onFailure:onFinish:onDispose:)``, which also observes
  /// the beginning and the end.
  @inlinable
  public func handle(
    fileID: StaticString = #fileID, line: UInt = #line, function: StaticString = #function,
    _ onValue: @escaping @Sendable (Value) throws -> Void
  ) -> Signal<Value> {
    stage(Site("handle", behavior: [.passesOn, .atMostOne], fileID: fileID, line: line, function: function)) { buffer in
      let value = buffer.take(Value.self)
      try onValue(value)
      return buffer.put(value)
    }
  }
}

extension Signal {
  /// Creates an operator that calls closures with the events, under any name.
  @inlinable
  package func handled(
    _ site: Site,
    onSubscribe: (@Sendable () -> Void)? = nil,
    onValue: (@Sendable (Value) throws -> Void)? = nil,
    onFailure: (@Sendable (any Error) -> Void)? = nil,
    onFinish: (@Sendable () -> Void)? = nil,
    onDispose: (@Sendable () -> Void)? = nil
  ) -> Signal<Value> {
    if let onDispose {
      return handledUntilDisposal(
        site, onSubscribe: onSubscribe, onValue: onValue, onFailure: onFailure, onFinish: onFinish, onDispose: onDispose
      )
    }
    return unsafeLift(site) { downstream in
      onSubscribe?()
      return Observer(for: downstream) { value in
        do {
          try onValue?(value)
        } catch {
          throw downstream.stop(after: error)
        }
        try downstream.deliver(value)
      } end: { completion in
        switch completion {
        case .finished: onFinish?()
        case .failed(let error): onFailure?(error)
        }
        downstream.end(completion)
      }
    }
  }

  @inlinable
  func handledUntilDisposal(
    _ site: Site,
    onSubscribe: (@Sendable () -> Void)?,
    onValue: (@Sendable (Value) throws -> Void)?,
    onFailure: (@Sendable (any Error) -> Void)?,
    onFinish: (@Sendable () -> Void)?,
    onDispose: @escaping @Sendable () -> Void
  ) -> Signal<Value> {
    let upstream = self
    return Signal(site, derivedFrom: self) { downstream, subscription in
      onSubscribe?()
      let junction = Junction(downstream, subscription, hasOneInput: true)
      let input = junction.reserveKey()
      let watch = DisposalWatch(onDispose)
      // It is the newest, so it is disposed before the input.
      junction.adopt(watch, as: junction.reserveKey())
      junction.connect(upstream, key: input) { value in
        try onValue?(value)
        try junction.emit(value)
      } end: { completion in
        guard watch.stop() else { return }
        switch completion {
        case .finished: onFinish?()
        case .failed(let error): onFailure?(error)
        }
        junction.end(completion)
      }
    }
  }
}

/// Calls a closure when it is disposed, unless it was stopped before.
@usableFromInline
final class DisposalWatch: Disposable {
  private let action: TakenOnce<@Sendable () -> Void>

  @usableFromInline
  init(_ action: @escaping @Sendable () -> Void) {
    self.action = TakenOnce(action)
  }

  /// Notes the end.
  ///
  /// - Returns: Whether it comes before the disposal.
  @usableFromInline
  func stop() -> Bool { action.take() != nil }

  @usableFromInline
  func dispose() { action.take()?() }

  @usableFromInline
  var isDisposed: Bool { action.isTaken }
}
