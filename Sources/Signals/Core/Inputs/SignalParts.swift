/// The parts of a signal that consists of several others, such as `merge`, `concat` and `prepend`.
///
/// Nested rows of the same kind, as in `a.concat(b).concat(c)`, are connected by the outermost one. So a row that is
/// built one call at a time needs one node in the graph, one gate and no deep stack, however long it is.
// Safe: `signals` is written only by `takeSignals`, while no other code has this.
@usableFromInline
final class SignalParts<Value: Sendable>: @unchecked Sendable {
  @usableFromInline
  enum Kind: Sendable { case merge, concat, prepend }

  @usableFromInline let kind: Kind
  @usableFromInline private(set) var signals: [Signal<Value>]
  private let isNested: Bool
  @usableFromInline let start: @Sendable (SignalParts, consuming Observer<Value>, Subscription) -> Void

  /// Creates a row that a closure connects.
  @usableFromInline
  init(
    _ kind: Kind, _ signals: [Signal<Value>],
    start: @escaping @Sendable (SignalParts, consuming Observer<Value>, Subscription) -> Void
  ) {
    self.kind = kind
    self.signals = signals
    self.start = start
    isNested = signals.contains { $0.row?.kind == kind }
  }

  /// Connects the row.
  @inlinable
  func attach(_ observer: consuming Observer<Value>, _ subscription: Subscription) {
    start(self, observer, subscription)
  }

  /// All signals from first to last, with those of nested rows in order.
  @usableFromInline
  var flattened: [Signal<Value>] {
    guard isNested else { return signals }
    var flattened: [Signal<Value>] = []
    var rest = reversed
    while let signal = takeNext(&rest) { flattened.append(signal) }
    return flattened
  }

  /// The signals for ``takeNext(_:)``.
  var reversed: [Signal<Value>] { signals.reversed() }

  /// Removes the next signal from the remaining ones, which are in reverse order. A nested row is expanded when its
  /// turn comes: a row that contains another one several times may represent more signals than are ever needed.
  func takeNext(_ rest: inout [Signal<Value>]) -> Signal<Value>? {
    while let signal = rest.popLast() {
      guard let row = signal.row, row.kind == kind else { return signal }
      rest += row.reversed
    }
    return nil
  }

  deinit {
    // Nested rows are expanded in a loop, or each would be released from inside the one around it.
    var rows = takeSignals().compactMap(\.row)
    while !rows.isEmpty {
      let isLast = isKnownUniquelyReferenced(&rows[rows.count - 1])
      let inner = isLast ? rows[rows.count - 1].takeSignals().compactMap(\.row) : []
      rows.removeLast()
      rows += inner
    }
  }

  private func takeSignals() -> [Signal<Value>] {
    defer { signals = [] }
    return signals
  }
}

extension Signal {
  /// The row that the signal is, if it is one.
  fileprivate var row: SignalParts<Value>? {
    if case .parts(let row) = storage { row } else { nil }
  }
}
