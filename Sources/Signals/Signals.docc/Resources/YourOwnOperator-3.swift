import Signals

extension Signal {
  /// Delivers arrays of `count` values each. Fewer remaining values at the end are dropped.
  func batches(
    of count: Int, fileID: StaticString = #fileID, line: UInt = #line, function: StaticString = #function
  ) -> Signal<[Value]> {
    let site = Site("batches", fileID: fileID, line: line, function: function)
    return lift(site, state: [Value]()) { batch, value, downstream in
      batch.append(value)
      guard batch.count >= count else { return }
      let full = batch
      batch.removeAll()
      try downstream.send(full)
    }
  }
}
