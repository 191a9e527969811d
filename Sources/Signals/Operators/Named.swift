extension Signal {
  /// Gives the operator that it is called on a name, which the graph and leak reports show.
  ///
  /// ![named, as a marble diagram](named)
  ///
  /// ```text
  /// source   -a-b-|
  ///          source.named("search text")
  /// result   -a-b-|
  /// ```
  ///
  /// ```swift
  /// let bag = DisposeBag()
  /// let keystrokes = Emitter<String>()
  /// keystrokes.signal
  ///   .debounce(for: .milliseconds(300), on: .main).named("search text")
  ///   .subscribe { text in print(text) }
  ///   .store(in: bag)
  /// ```
  ///
  /// - **Errors:** pass through.
  /// - **Ends:** with the source.
  /// - **Order and threads:** values come in order, where the source delivers them.
  /// - **Allocations:** none for a value. While the graph is off, it costs nothing at all.
  ///
  /// - Parameter name: What the operator is called. It need not be unique: chains that should not be told apart may share a name.
  public func named(_ name: String) -> Signal<Value> {
    let upstream = self
    return Signal(.hidden, derivedFrom: self) { downstream, subscription in
      upstream.connect(downstream, subscription, named: name)
    }
  }
}
