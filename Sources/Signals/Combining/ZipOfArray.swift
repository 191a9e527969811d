public import DequeModule

/// Delivers the first values of all signals as an array, then the second ones, and so on.
///
/// ![zip, as a marble diagram](zip-2)
///
/// ```text
/// source   -a-b---c----|
/// other    ---1--2---|
///          zip([source, other])
/// result   ---p--q---|
///
/// p = [a, 1], q = [b, 2]
/// ```
///
/// ```swift
/// let bag = DisposeBag()
/// let players = (1...3).map { _ in Emitter<Int>() }
/// zip(players.map(\.signal))
///   .map { throwsOfRound in throwsOfRound.reduce(0, +) }
///   .subscribe { sum in print("all together: \(sum)") }
///   .store(in: bag)
/// for (player, points) in zip(players, [3, 5, 1]) { player.send(points) }
/// ```
///
/// - **Errors:** fails with the first failure of any signal, and unsubscribes from the others.
/// - **Ends:** as soon as a signal that has finished has no value waiting (law 16), and at once without signals.
/// - **Order and threads:** the inputs are subscribed to in their order. An array is delivered where the latest of its
///   values is, one at a time.
/// - **Endless inputs:** one that delivers inside subscribe blocks later inputs: subscribing does not return.
/// - **Allocations:** none for an array, unless the previous one is still retained. Values wait for those of the other
///   signals, without a limit to their number.
/// - Parameter inputs: The signals, in the order of the arrays.
/// - Complexity: O(*n*) for an array, in the number of signals.
///
/// See also ``zip(_:_:fileID:line:function:)`` for signals of different types, and ``combineLatest(_:fileID:line:function:)``.
@inlinable
public func zip<Value: Sendable>(
  _ inputs: [Signal<Value>],
  fileID: StaticString = #fileID, line: UInt = #line, function: StaticString = #function
) -> Signal<[Value]> {
  joined(
    Site("zip", behavior: [.runsNoClosure, .needsEachInput, .pairs], fileID: fileID, line: line, function: function),
    inputs, as: ValuesInStep<Value>.self)
}

/// The values of several inputs that wait for those of the others.
@usableFromInline
struct ValuesInStep<Value: Sendable>: ArrayRows {
  @usableFromInline struct Queue: Sendable {
    @usableFromInline var waiting = Deque<Value>()
    @usableFromInline var isFinished = false

    @inlinable
    init() {}
  }

  /// The first value of each queue during a delivery; else empty.
  @usableFromInline var row: [Value] = []
  @usableFromInline var queues: [Queue]
  /// The number of empty queues.
  @usableFromInline var empty: Int

  @inlinable
  init(count: Int) {
    queues = Array(repeating: Queue(), count: count)
    empty = count
  }

  @inlinable
  mutating func take(_ value: Value, _ index: Int) -> RowStep {
    if queues[index].waiting.isEmpty { empty -= 1 }
    queues[index].waiting.append(value)
    guard empty == 0 else { return RowStep() }
    var isOver = false
    for index in queues.indices {
      row.append(queues[index].waiting.removeFirst())
      guard queues[index].waiting.isEmpty else { continue }
      empty += 1
      if queues[index].isFinished { isOver = true }
    }
    return RowStep(isComplete: true, isOver: isOver)
  }

  @inlinable
  mutating func delivered() {
    // A handler may have retained the array; only then another one is created.
    row.removeAll(keepingCapacity: true)
  }

  @inlinable
  mutating func finish(_ index: Int) -> RowStep {
    queues[index].isFinished = true
    return RowStep(isOver: queues[index].waiting.isEmpty)
  }
}
