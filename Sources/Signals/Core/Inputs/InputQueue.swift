/// The values of one input that wait for those of the others, in a ring buffer, and the input's cell in the row that
/// they go to.
struct InputQueue: ~Copyable {
  // The `count` elements from `first` on, modulo `capacity` (a power of two), hold values.
  private let kind: ElementKind
  private let cell: UnsafeMutableRawPointer
  private var memory: UnsafeMutableRawPointer
  private var capacity = 4
  private var first = 0
  private(set) var count = 0
  var isFinished = false

  /// Creates an empty queue whose values go to an empty cell.
  init(_ kind: ElementKind, cell: UnsafeMutableRawPointer) {
    self.kind = kind
    self.cell = cell
    memory = .allocate(byteCount: 4 * kind.stride, alignment: kind.alignment)
  }

  deinit {
    for index in 0..<count { kind.destroy(address(index)) }
    memory.deallocate()
  }

  private func address(_ index: Int) -> UnsafeMutableRawPointer {
    memory + ((first &+ index) & (capacity &- 1)) &* kind.stride
  }

  /// Adds a copy of a value.
  mutating func append(_ value: UnsafeRawPointer) {
    if count == capacity { grow() }
    kind.initialize(address(count), copying: value)
    count &+= 1
  }

  /// Moves the first value of a non-empty queue to its cell.
  mutating func moveFirst() {
    debugAssert(count > 0, "the first value is moved out of a queue that has one")
    kind.initialize(cell, moving: address(0))
    first = (first &+ 1) & (capacity &- 1)
    count &-= 1
  }

  /// Destroys the value in the cell.
  func destroyMoved() {
    kind.destroy(cell)
  }

  private mutating func grow() {
    let larger = UnsafeMutableRawPointer.allocate(
      byteCount: 2 * capacity * kind.stride, alignment: kind.alignment)
    for index in 0..<count { kind.initialize(larger + index * kind.stride, moving: address(index)) }
    memory.deallocate()
    memory = larger
    first = 0
    capacity *= 2
  }
}

/// The queues of all inputs of one operator, and a row for their first values.
// Safe: touched only inside the gate of the operator that has it, and by `deinit`. Unchecked exclusivity: nothing is called while a
// variable is changed.
@usableFromInline
final class InputQueues: @unchecked Sendable {
  /// The memory of a row during its delivery, laid out as the tuple of all inputs.
  @usableFromInline let row: UnsafeMutableRawPointer
  private let queues: UnsafeMutablePointer<InputQueue>
  private let count: Int
  /// Whether values have to be destroyed.
  @usableFromInline let hasNontrivial: Bool
  /// The number of empty queues.
  @exclusivity(unchecked) private var emptyCount: Int
  /// Whether a queue is empty that will not be filled any more.
  @exclusivity(unchecked) private(set) var isOver = false
  private let change = ExclusiveUse()
  @usableFromInline let rowUse = ExclusiveUse()

  @usableFromInline
  init(_ layout: InputLayout) {
    count = layout.count
    emptyCount = layout.count
    hasNontrivial = !layout.kinds.allSatisfy(\.isTrivial)
    row = layout.allocate()
    queues = .allocate(capacity: layout.count)
    for index in 0..<layout.count {
      (queues + index).initialize(to: InputQueue(layout.kinds[index], cell: row + layout.offsets[index]))
    }
  }

  deinit {
    queues.deinitialize(count: count)
    queues.deallocate()
    row.deallocate()
  }

  /// Adds a copy of a value; returns whether no queue is empty now.
  func append(_ value: UnsafeRawPointer, _ index: Int) -> Bool {
    beginChange()
    defer { endChange() }
    if queues[index].count == 0 { emptyCount &-= 1 }
    queues[index].append(value)
    return emptyCount == 0
  }

  /// Moves the first value of each queue into the row. No queue may be empty, and the row has to be.
  @usableFromInline
  func fillRow() {
    beginChange()
    defer { endChange() }
    debugAssert(emptyCount == 0, "a row is filled when every queue has a value")
    rowUse.begin("a row is empty before it is filled, by one thread at a time")
    var index = 0
    while index < count {
      queues[index].moveFirst()
      if queues[index].count == 0 {
        emptyCount &+= 1
        if queues[index].isFinished { isOver = true }
      }
      index &+= 1
    }
  }

  /// Destroys the values in the row.
  @inlinable
  func emptyRow() {
    rowUse.end("a row is emptied by the thread that has filled it")
    if hasNontrivial { destroyRow() }
  }

  @usableFromInline
  func destroyRow() {
    var index = 0
    while index < count {
      queues[index].destroyMoved()
      index &+= 1
    }
  }

  /// Notes that an input has finished.
  func finish(_ index: Int) {
    beginChange()
    defer { endChange() }
    queues[index].isFinished = true
    if queues[index].count == 0 { isOver = true }
  }

  private func beginChange() { change.begin("queues are changed by one thread at a time") }
  private func endChange() { change.end("queues are changed by one thread at a time") }
}
