import DequeModule

/// The inputs of an operator that are being connected from inside its gate, and what other threads have left behind for them meanwhile.
///
/// It does not depend on the operator's type, so that its code need not look up types.
struct ConnectingInputs {
  /// The outermost; 0 if there is none. The usual case needs no memory.
  private var outermost = 0
  /// Those further in, the innermost last: connecting one may lead to another.
  private var others: ContiguousArray<Int> = []
  /// In the order in which it came.
  private var work: Deque<(key: Int, work: @Sendable () -> Void)> = []

  /// The innermost input's key; 0 if there is none.
  var innermost: Int { others.last ?? outermost }

  /// Whether anything was left behind for any of them.
  var hasWork: Bool { work.count > 0 }

  /// Notes that an input begins to be connected.
  mutating func begin(_ key: Int) {
    if outermost == 0 { outermost = key } else { others.append(key) }
  }

  /// Leaves work behind for an input, if it is being connected.
  ///
  /// - Returns: Whether it is.
  mutating func leaveBehind(_ work: @escaping @Sendable () -> Void, for key: Int) -> Bool {
    guard outermost == key || others.contains(key) else { return false }
    self.work.append((key, work))
    return true
  }

  /// Takes out the first work that was left behind for an input.
  mutating func takeWork(for key: Int) -> (@Sendable () -> Void)? {
    var index = 0
    while index < work.count {
      if work[index].key == key { return work.remove(at: index).work }
      index += 1
    }
    return nil
  }

  /// Notes that the innermost input is connected.
  ///
  /// - Parameter body: Called with what is left for it, in order.
  mutating func end(_ body: (@escaping @Sendable () -> Void) -> Void) {
    let key = innermost
    if others.popLast() == nil { outermost = 0 }
    while hasWork, let work = takeWork(for: key) { body(work) }
  }
}
