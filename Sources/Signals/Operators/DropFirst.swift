extension Signal {
  /// Leaves out the first values; a negative count counts as 0. Counted for each subscription.
  @inlinable
  public func dropFirst(
    _ count: Int = 1,
    fileID: StaticString = #fileID, line: UInt = #line, function: StaticString = #function
  ) -> Signal<Value> {
    unsafeLift(Site("dropFirst", fileID: fileID, line: line, function: function)) { downstream in
      let receive = downstream.receive
      let remaining = SerialState(count)
      return Observer(for: downstream) { value in
        if remaining.value > 0 {
          remaining.value -= 1
        } else {
          try receive(value)
        }
      }
    }
  }
}
