extension Signal {
  /// Gives the operator that it is called on a name, which shows in the graph and in leak reports.
  ///
  /// ```swift
  /// keystrokes.debounce(for: .milliseconds(300), on: scheduler).named("search text")
  /// ```
  public func named(_ name: String) -> Signal<Value> {
    let upstream = self
    return Signal(.hidden, derivedFrom: self) { downstream, subscription in
      upstream.connect(downstream, subscription, named: name)
    }
  }
}
