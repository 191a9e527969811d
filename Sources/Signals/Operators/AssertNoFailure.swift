extension Signal {
  /// Stops a debug build of the program if this signal fails; otherwise passes everything on unchanged.
  ///
  /// For signals that cannot fail. As with `assert`, optimised builds do not stop; there the failure is passed on like
  /// any other.
  ///
  /// ![assertNoFailure, as a marble diagram](assertNoFailure)
  ///
  /// ```text
  /// source   -a-b-|
  ///          source.assertNoFailure()
  /// result   -a-b-|
  /// ```
  ///
  /// ```swift
  /// let bag = DisposeBag()
  /// let numbers = Signal.sequence(["1", "2"])
  /// numbers
  ///   .compactMap { text in Int(text) }
  ///   .assertNoFailure("the numbers are our own")
  ///   .subscribe { print($0) }
  ///   .store(in: bag)
  /// ```
  ///
  /// - **Errors:** a failure of this signal stops a debug build, with a message that has the error and the call site;
  ///   in an optimised build it is passed on. Errors thrown downstream stop nothing.
  /// - **Ends:** with this signal.
  /// - **Order and threads:** one value at a time, in the order of this signal, on the thread that delivers it.
  /// - **Allocations:** none for a value.
  /// - Parameter message: The text before the error in the message, such as the reason why there can be none.
  ///
  /// See also ``UnhandledFailure``, which reports failures in every build, and
  /// ``replaceError(with:fileID:line:function:)``.
  @inlinable
  public func assertNoFailure(
    _ message: String = "",
    fileID: StaticString = #fileID, line: UInt = #line, function: StaticString = #function
  ) -> Signal<Value> {
    handled(
      Site("assertNoFailure", behavior: [.passesOn, .atMostOne], fileID: fileID, line: line, function: function),
      onFailure: { error in
        assertionFailure(
          "\(message.isEmpty ? "" : message + ": ")the signal failed: \(error)", file: fileID, line: line)
      })
  }
}
