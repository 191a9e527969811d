import Signals

extension Signal {
  /// Delivers arrays of so many values each. The last one may be shorter; it comes together with the end.
  func batches(of count: Int) -> Signal<[Value]> {
    let site = Site("batches", fileID: #fileID, line: #line, function: #function)
    return lift(site, state: [Value]()) { batch, value, downstream in
      batch.append(value)
      guard batch.count >= count else { return }
      let full = batch
      batch.removeAll()
      try downstream.send(full)
    } end: { batch, completion, downstream in
      if case .finished = completion, !batch.isEmpty { try downstream.send(batch) }
    }
  }
}
