import DequeModule

/// The inputs of an operator that are being connected from inside its gate, apart from the innermost one, and what other threads have left
/// behind for any of them meanwhile.
///
/// It does not depend on the operator's type, so that its code need not look up types.
struct ConnectingInputs {
  /// Those further out, the outermost first: connecting one may lead to another.
  private var outer: ContiguousArray<Int> = []
  /// In the order in which it came.
  private var work: Deque<(key: Int, work: @Sendable () -> Void)> = []

  /// Whether anything was left behind for any input.
  var hasWork: Bool { work.count > 0 }

  /// Whether something was left behind for an input.
  func hasWork(for key: Int) -> Bool { work.contains { $0.key == key } }

  /// Whether an input is being connected that is not the innermost one.
  func isOuter(_ key: Int) -> Bool { outer.contains(key) }

  /// Notes that another input begins to be connected inside the innermost one.
  mutating func nest(in key: Int) {
    outer.append(key)
  }

  /// Notes that the innermost input is connected.
  ///
  /// - Returns: The one that is the innermost now, or 0.
  mutating func endInnermost() -> Int {
    outer.popLast() ?? 0
  }

  /// Leaves work behind for an input.
  mutating func leaveBehind(_ work: @escaping @Sendable () -> Void, for key: Int) {
    self.work.append((key, work))
  }

  /// Forgets the work that was left behind last.
  mutating func forgetLast() {
    work.removeLast()
  }

  /// Takes out the first work that was left behind for an input.
  mutating func takeWork(for key: Int) -> (@Sendable () -> Void)? {
    work.firstIndex { $0.key == key }.map { work.remove(at: $0).work }
  }
}
