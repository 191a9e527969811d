extension Signal {
  /// Delivers one value and finishes, both inside subscribe.
  ///
  /// ![just, as a marble diagram](just)
  ///
  /// ```text
  ///          Signal.just("a")
  /// result   {a|}
  /// ```
  ///
  /// ```swift
  /// let bag = DisposeBag()
  /// let cache = ["Lima": 27]
  /// let towns = Signal.sequence(["Lima", "Oslo"])
  /// towns
  ///   .flatMap { town -> Signal<Int> in
  ///     if let known = cache[town] { return .just(known) }
  ///     return Signal.timer(after: .seconds(1), on: .main).map { 3 }
  ///   }
  ///   .subscribe { degrees in print(degrees) }
  ///   .store(in: bag)
  /// ```
  ///
  /// - **Order and threads:** on the subscribing thread.
  /// - **Allocations:** only the subscription. `flatMap` and `flatMapLatest` deliver its value without connecting it.
  /// - Parameter value: The value.
  ///
  /// See also ``sequence(_:fileID:line:function:)``, ``empty(fileID:line:function:)`` and ``fail(_:fileID:line:function:)``.
  @inlinable
  public static func just(
    _ value: Value,
    fileID: StaticString = #fileID, line: UInt = #line, function: StaticString = #function
  ) -> Signal<Value> {
    Signal(Site("just", behavior: .cannotFail, fileID: fileID, line: line, function: function), just: value)
  }

  /// Fails inside subscribe, without a value.
  ///
  /// ![fail, as a marble diagram](fail)
  ///
  /// ```text
  ///          Signal<String>.fail(error)
  /// result   {#}
  /// ```
  ///
  /// ```swift
  /// struct NoSuchTown: Error {}
  /// let bag = DisposeBag()
  /// let towns = Property("Lima")
  /// towns.signal
  ///   .flatMapLatest { town in town.isEmpty ? .fail(NoSuchTown()) : .just(town.count) }
  ///   .subscribe(onValue: { print($0) }, onFailure: { print($0) })
  ///   .store(in: bag)
  /// ```
  ///
  /// - **Order and threads:** on the subscribing thread.
  /// - Parameter error: The failure.
  ///
  /// See also ``catch(fileID:line:function:_:)``, and throwing from a closure, which fails a signal too.
  public static func fail(
    _ error: any Error,
    fileID: StaticString = #fileID, line: UInt = #line, function: StaticString = #function
  ) -> Signal<Value> {
    Signal(Site("fail", fileID: fileID, line: line, function: function)) { observer, subscription in
      subscription.end(observer, .failed(error))
    }
  }

  /// Finishes inside subscribe, without a value.
  ///
  /// ![empty, as a marble diagram](empty)
  ///
  /// ```text
  ///          Signal<String>.empty()
  /// result   {|}
  /// ```
  ///
  /// ```swift
  /// let bag = DisposeBag()
  /// let query = Property("")
  /// query.signal
  ///   .flatMapLatest { text -> Signal<String> in text.isEmpty ? .empty() : .just("results for \(text)") }
  ///   .subscribe { print($0) }
  ///   .store(in: bag)
  /// ```
  ///
  /// - **Order and threads:** on the subscribing thread.
  ///
  /// See also ``never(fileID:line:function:)`` and ``just(_:fileID:line:function:)``.
  public static func empty(
    fileID: StaticString = #fileID, line: UInt = #line, function: StaticString = #function
  ) -> Signal<Value> {
    Signal(Site("empty", behavior: .cannotFail, fileID: fileID, line: line, function: function)) {
      observer, subscription in
      subscription.end(observer, .finished)
    }
  }

  /// Delivers nothing and never ends.
  ///
  /// ![never, as a marble diagram](never)
  ///
  /// ```text
  ///          Signal<String>.never()
  /// result   ----------
  /// ```
  ///
  /// ```swift
  /// let bag = DisposeBag()
  /// let isPaused = Property(false)
  /// isPaused.signal
  ///   .flatMapLatest { isPaused in
  ///     isPaused ? .never() : Signal.interval(every: .seconds(1), on: .main)
  ///   }
  ///   .subscribe { print($0) }
  ///   .store(in: bag)
  /// ```
  ///
  /// See also ``empty(fileID:line:function:)``.
  public static func never(
    fileID: StaticString = #fileID, line: UInt = #line, function: StaticString = #function
  ) -> Signal<Value> {
    Signal(Site("never", behavior: .cannotFail, fileID: fileID, line: line, function: function)) { _, _ in }
  }
}
