extension Signal {
  /// Delivers values as long as they meet a condition, and finishes with the first that does not.
  ///
  /// With `inclusive`, that one is delivered too.
  ///
  /// ![prefix, as a marble diagram](prefix-while-inclusive)
  ///
  /// ```text
  /// source             -1-2-5-3-|
  ///                    source.prefix(while: { $0 < 3 })
  /// result             -1-2-|
  /// source subscribed  ^----!
  ///
  ///                    source.prefix(while: { $0 < 3 }, inclusive: true)
  /// result             -1-2-(5|)
  /// source subscribed  ^----!
  /// ```
  ///
  /// ```swift
  /// enum Download: Sendable { case percent(Int), done }
  /// let bag = DisposeBag()
  /// let states = Emitter<Download>()
  /// states.signal
  ///   .prefix(while: { if case .percent = $0 { true } else { false } }, inclusive: true)
  ///   .subscribe(onValue: { print($0) }, onFinish: { print("complete") })
  ///   .store(in: bag)
  /// ```
  ///
  /// - **Errors:** an error that the closure throws fails the result.
  /// - **Ends:** with the first value that does not meet the condition, and then unsubscribes; or earlier, with this
  ///   signal.
  /// - **Order and threads:** one value at a time, in the order of this signal, on the thread that delivers it.
  /// - **Allocations:** none for a value.
  /// - Parameters:
  ///   - isWanted: Whether a value meets the condition; not called after the first that does not.
  ///   - inclusive: Whether the first value that does not meet it is delivered, before the end.
  ///
  /// See also ``drop(fileID:line:function:while:)``, which delivers the other values, and
  /// ``prefix(untilOutputFrom:fileID:line:function:)``.
  @inlinable
  public func prefix(
    while isWanted: @escaping @Sendable (Value) throws -> Bool, inclusive: Bool = false,
    fileID: StaticString = #fileID, line: UInt = #line, function: StaticString = #function
  ) -> Signal<Value> {
    let upstream = self
    let site = Site(
      "prefix(while:)", behavior: [.passesOn, .atMostOne, .endsByItself], fileID: fileID, line: line, function: function
    )
    return Signal(site, derivedFrom: self) { downstream, subscription in
      let junction = Junction(downstream, subscription, hasOneInput: true)
      junction.connect(upstream) { value in
        if try isWanted(value) { return try junction.emit(value) }
        if inclusive { try junction.emit(value) }
        junction.end(.finished)
      } end: { completion in
        junction.end(completion)
      }
    }
  }
}
