import Signals

/// The marbles of a run that differs from its reference.
struct ModelPicture<Output: Sendable & Equatable> {
  let trial: ModelTrial<Output>
  let otherCount: Int

  var lines: [String] {
    func events<Value>(
      _ list: [TimedEvent<Value>]
    ) -> [(nanoseconds: Int64, isInsideSubscribe: Bool, event: MarbleEvent)] {
      list.map { ($0.nanoseconds, $0.isInsideSubscribe, Self.notation(of: $0.event)) }
    }
    func row(_ title: String, _ cells: [MarbleTable.Slot: String]) -> MarbleTable.Row {
      MarbleTable.Row(title: title, cells: cells)
    }
    var rows: [MarbleTable.Row] = []
    var innerRows: [MarbleTable.Row] = []
    for (number, input) in trial.inputs.enumerated() {
      let cells = MarbleTable.cells(events(input))
      if number > otherCount {
        innerRows.append(row("inner \(number - otherCount - 1)", cells))
      } else {
        rows.append(row(number == 0 ? "upstream" : otherCount == 1 ? "other" : "other \(number - 1)", cells))
      }
    }
    let expected = MarbleTable.cells(events(trial.expected))
    var received = events(trial.actual)
    for index in received.indices { received[index].event = trial.arrivals[index]?.notation ?? received[index].event }
    let actual = MarbleTable.cells(received)
    rows += [row("expected", expected), row("actual", actual)]
    let marks = Set(expected.keys).union(actual.keys).filter { expected[$0] != actual[$0] }
    var lines = table(rows, marks: marks).lines()
    if !innerRows.isEmpty {
      lines += ["", "from its subscription on:"] + table(innerRows, marks: []).lines()
    }
    return lines
  }

  private func table(_ rows: [MarbleTable.Row], marks: Set<MarbleTable.Slot>) -> MarbleTable {
    let frame = ModelPlan.frame
    let times = rows.flatMap { $0.cells.keys.map(\.nanoseconds) }
    return MarbleTable(
      rows: rows, marks: marks, end: (times.max() ?? 0) + 2 * frame, frame: MarbleTable.frame(frame, fitting: times))
  }

  static func notation<Value>(of event: ReceivedEvent<Value>) -> MarbleEvent {
    switch event {
    case .value(let value):
      let text = (value as? String) ?? ShownValue.short(value)
      return .value(text.isEmpty ? .text("") : .key(text))
    case .failed(let error): return .failed(error is MarbleFailure ? nil : "\(error)")
    case .finished: return .finished
    }
  }
}
