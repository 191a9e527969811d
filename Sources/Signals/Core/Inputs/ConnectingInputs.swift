import DequeModule

/// The inputs of an operator that are being connected from inside its gate, except the innermost one, and work that
/// other threads have enqueued for any of them in the meantime.
///
/// It does not depend on the operator's type, so that its code need not look up types.
struct ConnectingInputs {
  /// The outer ones, the outermost first: connecting one may lead to another.
  private var outer: ContiguousArray<Int> = []
  /// In the order of arrival.
  private var work: Deque<(key: Int, work: @Sendable () -> Void)> = []

  /// Whether work was enqueued for any input.
  var hasWork: Bool { work.count > 0 }

  /// Whether work was enqueued for an input.
  func hasWork(for key: Int) -> Bool { work.contains { $0.key == key } }

  /// Whether an input is being connected that is not the innermost one.
  func isOuter(_ key: Int) -> Bool { outer.contains(key) }

  /// Notes that another input begins to be connected inside the innermost one.
  mutating func nest(in key: Int) {
    outer.append(key)
  }

  /// Notes that the innermost input is connected.
  ///
  /// - Returns: The new innermost one, or 0.
  mutating func endInnermost() -> Int {
    outer.popLast() ?? 0
  }

  /// Enqueues work for an input.
  mutating func enqueue(_ work: @escaping @Sendable () -> Void, for key: Int) {
    self.work.append((key, work))
  }

  /// Removes the work that was enqueued last.
  mutating func forgetLast() {
    work.removeLast()
  }

  /// Removes the first work that was enqueued for an input.
  mutating func takeWork(for key: Int) -> (@Sendable () -> Void)? {
    work.firstIndex { $0.key == key }.map { work.remove(at: $0).work }
  }
}
