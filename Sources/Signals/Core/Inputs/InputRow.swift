/// Memory for one value of each of several inputs, laid out as the tuple of them all.
// Safe: touched only inside the gate of the operator that has it. The addresses in `memory` and `isFull` never change.
// Unchecked exclusivity: `missing` is read or written at once.
@usableFromInline
final class InputRow: @unchecked Sendable {
  /// Holds a tuple once no input is ``missing``.
  @usableFromInline let memory: UnsafeMutableRawPointer
  private let layout: InputLayout
  private let isFull: UnsafeMutablePointer<Bool>
  /// The number of inputs without a value.
  @exclusivity(unchecked) @usableFromInline private(set) var missing: Int
  fileprivate let change = ExclusiveUse()

  /// Creates a row without values.
  @usableFromInline
  init(_ layout: InputLayout) {
    self.layout = layout
    memory = layout.allocate()
    isFull = .allocate(capacity: layout.count)
    isFull.initialize(repeating: false, count: layout.count)
    missing = layout.count
  }

  deinit {
    for index in 0..<layout.count where isFull[index] { layout.kinds[index].destroy(memory + layout.offsets[index]) }
    memory.deallocate()
    isFull.deallocate()
  }

  /// The cell of one input.
  func cell(_ index: Int) -> InputCell {
    InputCell(row: self, address: memory + layout.offsets[index], isFull: isFull + index, kind: layout.kinds[index])
  }

  fileprivate func filled() { missing &-= 1 }
}

/// The memory for one input's value in a row.
// Safe: used only inside the gate of the operator that has it. It retains the row, and so the memory that it points to.
struct InputCell: @unchecked Sendable {
  let row: InputRow
  fileprivate let address: UnsafeMutableRawPointer
  fileprivate let isFull: UnsafeMutablePointer<Bool>
  let kind: ElementKind

  var hasValue: Bool { isFull.pointee }

  /// Stores a copy of a value in place of the previous one; returns whether the row is complete.
  func keep(_ value: UnsafeRawPointer) -> Bool {
    row.change.begin("a row is changed by one thread at a time")
    defer { row.change.end("a row is changed by one thread at a time") }
    if isFull.pointee {
      kind.assign(address, copying: value)
    } else {
      kind.initialize(address, copying: value)
      isFull.pointee = true
      row.filled()
    }
    return row.missing == 0
  }
}

/// The offsets of a tuple's elements.
///
/// Swift lays out a tuple like a struct: each element at the next offset that its alignment allows. (Source: the
/// document "Type layout" of the Swift ABI, for fragile structs and tuples; a tuple of one element is that element.)
@usableFromInline
struct InputLayout: Sendable {
  private(set) var kinds: [ElementKind] = []
  private(set) var offsets: [Int] = []
  private var size = 0
  private var alignment = 1
  @usableFromInline var count: Int { kinds.count }

  @usableFromInline
  init() {}

  /// Adds an element.
  @usableFromInline
  mutating func append<Value: Sendable>(_ type: Value.Type) {
    let kind = ElementKind.of(type)
    let offset = (size + kind.alignment - 1) & ~(kind.alignment - 1)
    kinds.append(kind)
    offsets.append(offset)
    size = offset + kind.size
    alignment = max(alignment, kind.alignment)
  }

  /// Whether this equals the compiler's layout of a type.
  func describes<Tuple>(_ type: Tuple.Type) -> Bool {
    MemoryLayout<Tuple>.size == size && MemoryLayout<Tuple>.alignment == alignment
  }

  /// Memory for one tuple, without values.
  func allocate() -> UnsafeMutableRawPointer {
    .allocate(byteCount: max(1, size), alignment: alignment)
  }
}
