import Probes
import SignalTesting
import Signals
import Testing

/// Changes of collections of sections: made, checked, applied.
@Suite("CollectionChange")
struct CollectionChangeTests {
  private typealias Sections = [ItemSection<Int>]
  private typealias Change = CollectionChange<ItemSection<Int>>

  @Test("less than no items count as none", arguments: [-1, -2, Int.min])
  func negativeCounts(count: Int) throws {
    let position = CollectionPosition(section: 0, item: 0)
    #expect(throws: CollectionChangeError.self) {
      try CollectionChangeBatch(Change([.removeItem(at: position)]), itemCounts: [count])
    }
    let batch = try CollectionChangeBatch(Change([.insertItem(1, at: position)]), itemCounts: [count])
    #expect(batch.itemCountsBefore == [0])
    #expect(batch.itemCountsAfter == [1])
    #expect(batch.positions().insertedItems == [position])
  }

  @Test("more items than there can be do not trap")
  func hugeCounts() throws {
    let positions = [0, .max].map { CollectionPosition(section: 0, item: $0) }
    let batch = try CollectionChangeBatch(Change([.insertItem(1, at: positions[0])]), itemCounts: [.max])
    #expect(batch.itemCountsAfter == [batch.itemCountsBefore[0] + 1])
    #expect(throws: CollectionChangeError.self) {
      try CollectionChangeBatch(Change([.insertItem(1, at: positions[1])]), itemCounts: [.max])
    }
  }

  @Test("each operation finds what the ones before it have left")
  func operations() throws {
    var sections: Sections = [[1, 2, 3], [4]]
    try sections.apply([
      .insertItem(9, at: at(0, 3)), .removeItem(at: at(0, 0)), .moveItem(from: at(0, 2), to: at(1, 1)),
      .updateItem(7, at: at(0, 1)), .insertSection([5, 6], at: 2), .moveSection(from: 2, to: 0),
      .updateSection([8], at: 2), .removeSection(at: 0),
    ])
    #expect(sections == [[2, 7], [8]])
    try sections.apply(.reset([[1]]))
    #expect(sections == [[1]])
    try sections.apply([.moveItem(from: at(0, 0), to: at(0, 0)), .moveSection(from: 0, to: 0)])
    #expect(sections == [[1]])
    try sections.apply([.removeSection(at: 0)])
    try sections.apply([])
    #expect(sections.isEmpty)
  }

  @Test(
    "what does not fit is named, with what and where, and nothing is applied",
    arguments: [
      (Change.Operation.insertItem(1, at: at(0, 3)), "insertItem(at: [0, 3])", "item 3: section 0 has 2 items"),
      (.removeItem(at: at(0, 2)), "removeItem(at: [0, 2])", "item 2: section 0 has 2 items"),
      (.updateItem(1, at: at(1, -1)), "updateItem(at: [1, -1])", "item -1: section 1 has 1 item"),
      (.removeItem(at: at(2, 0)), "removeItem(at: [2, 0])", "section 2: there are 2 sections"),
      (
        .moveItem(from: at(0, 0), to: at(0, 2)), "moveItem(from: [0, 0], to: [0, 2])",
        "item 2: section 0 has 1 item beside"
      ),
      (.moveItem(from: at(1, 1), to: at(0, 0)), "moveItem(from: [1, 1], to: [0, 0])", "item 1: section 1 has 1 item"),
      (.insertSection([], at: 3), "insertSection(at: 3)", "section 3: there are 2 sections"),
      (.removeSection(at: -1), "removeSection(at: -1)", "section -1: there are 2 sections"),
      (.moveSection(from: 0, to: 2), "moveSection(from: 0, to: 2)", "section 2: there are 2 sections"),
      (.updateSection([], at: 2), "updateSection(at: 2)", "section 2: there are 2 sections"),
    ])
  func misfits(operation: CollectionChange<ItemSection<Int>>.Operation, name: String, reason: String) {
    var sections: Sections = [[1], [3]]
    let error = #expect(throws: CollectionChangeError.self) {
      try sections.apply([.insertItem(2, at: at(0, 1)), operation])
    }
    #expect(error?.operationIndex == 1 && error?.operation == name)
    #expect(error?.reason.contains("there is no place for \(reason)") == true, "\(error?.reason ?? "")")
    #expect(error?.description == "operation 1, \(name): \(error?.reason ?? "")")
    #expect(sections == [[1], [3]])
  }

  @Test("a batch that was made for other sections is applied where it fits, and else nothing is")
  func overtaken() throws {
    var sections: Sections = [[1, 2]]
    let batch = try CollectionChangeBatch(
      Change([.updateItem(9, at: at(0, 0)), .removeItem(at: at(0, 1))]), itemCounts: sections.itemCounts)
    sections = [[1]]
    let error = #expect(throws: CollectionChangeError.self) { try sections.apply(batch) }
    #expect(error?.operationIndex == 1 && error?.operation == "removeItem(at: [0, 1])")
    #expect(sections == [[1]])
    sections = []
    #expect(throws: CollectionChangeError.self) { try sections.apply(batch) }
    sections = [[1, 2, 3], [4]]
    try sections.apply(batch)
    #expect(sections == [[9, 3], [4]])
  }

  @Test("random edits by hand: an array of sections becomes what a plain array of arrays becomes")
  func randomEdits() throws {
    var random = TestRandom(seed: 1)
    var sections: Sections = []
    var model: [[Int]] = []
    var edits = 0
    while edits < 10_000 {
      var change = Change([])
      for _ in 0..<Int.random(in: 1...6, using: &random) { change.operations.append(random.edit(&model)) }
      edits += change.operations.count
      let before = sections
      try sections.apply(change)
      #expect(sections.map(\.items) == model)
      try checkPositions(of: change, from: before, to: sections)
      if sections.map(\.items) != model { return }
    }
  }

  @Test("random states: the change between two leads from one to the other")
  func randomStates() throws {
    struct Shelf: CollectionSection, Identifiable, Equatable {
      let id: Int
      var title: Int
      var items: [Int]
    }
    var random = TestRandom(seed: 2)
    var old: [Shelf] = []
    for round in 0..<10_000 {
      var new = old
      for _ in 0..<Int.random(in: 0...3, using: &random) {
        switch Int.random(in: 0..<6, using: &random) {
        case 0:
          new.insert(
            Shelf(id: round, title: 0, items: random.items()), at: Int.random(in: 0...new.count, using: &random))
        case 1 where !new.isEmpty: new.remove(at: Int.random(in: 0..<new.count, using: &random))
        case 2 where !new.isEmpty: new[Int.random(in: 0..<new.count, using: &random)].title += 1
        case 3: new.shuffle(using: &random)
        default:
          if let index = new.indices.randomElement(using: &random) {
            new[index].items = (new[index].items + random.items()).filter { _ in
              Int.random(in: 0..<4, using: &random) > 0
            }
          }
        }
      }
      if new.count > 8 { new.removeLast(4) }
      var applied = old
      let change = CollectionChange(from: old, to: new)
      try applied.apply(change)
      #expect(applied == new)
      if applied != new { return }
      try checkPositions(of: change, from: old, to: new)
      old = new
    }
  }

  @Test("the difference of two arrays is the change of a section's items")
  func differences() throws {
    var random = TestRandom(seed: 3)
    for _ in 0..<2_000 {
      let (old, new) = (random.items(), random.items())
      var sections: Sections = [[0], ItemSection(old)]
      try sections.apply(CollectionChange(new.difference(from: old), inSection: 1))
      #expect(sections == [[0], ItemSection(new)])
      try sections.apply(CollectionChange(new.difference(from: new).inferringMoves(), inSection: 1))
      #expect(sections[1].items == new)
    }
    var sections: Sections = [[1], [2]]
    let wanted: Sections = [[3], [1], [4]]
    try sections.apply(CollectionChange(sections: wanted.difference(from: sections)))
    #expect(sections == wanted)
  }

  @Test("what table views want to be told, all at once")
  func positions() throws {
    func positions(_ change: Change) throws -> CollectionChangePositions {
      try CollectionChangeBatch(change, itemCounts: [3, 2, 1]).positions()
    }
    let items = try positions([
      .removeItem(at: at(0, 0)), .insertItem(9, at: at(0, 2)), .updateItem(8, at: at(0, 0)),
      .moveItem(from: at(2, 0), to: at(1, 0)),
    ])
    #expect(items.removedItems == [at(0, 0)] && items.insertedItems == [at(0, 2)] && items.updatedItems == [at(0, 1)])
    #expect(items.movedItems.map(\.from) == [at(2, 0)] && items.movedItems.map(\.to) == [at(1, 0)])

    let sections = try positions([
      .moveSection(from: 2, to: 0), .removeItem(at: at(2, 1)), .insertSection([1], at: 1), .removeSection(at: 2),
    ])
    #expect(sections.movedSections.map(\.from) == [2] && sections.movedSections.map(\.to) == [0])
    #expect(sections.insertedSections == [1] && sections.removedSections == [0])
    #expect(sections.removedItems == [at(1, 1)])

    // A section that moves and changes is another one; what comes out of a section that goes is new.
    let changed = try positions([
      .insertItem(7, at: at(0, 0)), .moveSection(from: 0, to: 2), .moveItem(from: at(0, 0), to: at(1, 0)),
      .removeSection(at: 0),
    ])
    #expect(changed.removedSections == [0, 1] && changed.insertedSections == [1] && changed.movedSections.isEmpty)
    #expect(changed.insertedItems == [at(0, 0)] && changed.movedItems.isEmpty && changed.removedItems.isEmpty)
    #expect(try positions([.updateSection([], at: 1), .insertItem(1, at: at(1, 0))]).updatedSections == [1])
    #expect(try CollectionChangeBatch(Change.reset([]), itemCounts: [1]).isReset)
  }

  private final class List: CollectionChangeTarget, Sendable {
    let sections = Box<[ItemSection<Int>]>([[]])
    let batches = Box(0)
    var itemCounts: [Int] { sections.value.itemCounts }

    func apply(_ batch: CollectionChangeBatch<ItemSection<Int>>) throws(CollectionChangeError) {
      batches.withLock { $0 += 1 }
      try sections.withLock { sections throws(CollectionChangeError) in try sections.apply(batch) }
    }
  }

  @Test("a signal of changes is applied to an object, which is held weakly; one that does not fit ends the binding")
  func binding() throws {
    let changes = Emitter<CollectionChange<ItemSection<Int>>>()
    let failures = Journal<String>()
    var list: List? = List()
    weak let weakList = list
    UnhandledFailure.withHandler {
      failures.append("\($0.error)")
    } operation: {
      if let list {
        changes.signal.bind(to: list)
        changes.send([.insertItem(1, at: at(0, 0)), .insertItem(2, at: at(0, 1))])
        #expect(list.sections.value == [[1, 2]] && list.batches.value == 1)
        changes.send([.removeItem(at: at(0, 0)), .removeItem(at: at(0, 1))])
        #expect(list.sections.value == [[1, 2]] && changes.subscriberCount == 0)
        #expect(failures.entries.map { $0.hasPrefix("operation 1, removeItem(at: [0, 1]): ") } == [true])
        changes.signal.bind(to: list)
      }
    }
    list = nil
    // First the count: another test may look at the list at this moment, and the count waits for that.
    #expect(changes.subscriberCount == 0 && weakList == nil)
    let other = List()
    try other.apply([.insertSection([], at: 0)])
    #expect(other.itemCounts == [0, 0])
  }

  @Test("bound on the main actor: what comes there is applied at once; a change that does not fit ends the binding")
  @MainActor func boundOnMain() async {
    await MainQueue.whenNothingWaits {
      let changes = Emitter<CollectionChange<ItemSection<Int>>>()
      var table: Table? = Table()
      let failures = Journal<String>()
      var isRight = true
      UnhandledFailure.withHandler {
        failures.append("\($0.error)")
      } operation: {
        guard let table else { return }
        changes.signal.bind(onMainTo: table)
        changes.send([.insertItem(1, at: at(0, 0)), .insertItem(2, at: at(0, 1))])
        isRight = isRight && table.sections == [[1, 2]]
        changes.send([.removeItem(at: at(0, 0)), .removeItem(at: at(0, 1))])
        isRight = isRight && table.sections == [[1, 2]] && changes.subscriberCount == 0
        let words = failures.entries.map { $0.hasPrefix("operation 1, removeItem(at: [0, 1]): ") }
        isRight = isRight && words == [true]
        changes.signal.bind(onMainTo: table)
      }
      table = nil
      changes.send([.insertItem(1, at: at(0, 0))])
      return isRight && changes.subscriberCount == 0
    }
  }
}

@MainActor private final class Table: @MainActor CollectionChangeTarget {
  private(set) var sections: [ItemSection<Int>] = [[]]
  var itemCounts: [Int] { sections.itemCounts }
  func apply(_ batch: CollectionChangeBatch<ItemSection<Int>>) throws(CollectionChangeError) {
    try sections.apply(batch)
  }
}

private func at(_ section: Int, _ item: Int) -> CollectionPosition { CollectionPosition(section: section, item: item) }

/// A table that shows what it is told, as views do: it looks up what comes, by the place where it is afterwards.
private func checkPositions<Section: CollectionSection & Equatable>(
  of change: CollectionChange<Section>, from old: [Section], to new: [Section]
) throws where Section.Item: Equatable {
  let batch = try CollectionChangeBatch(change, itemCounts: old.itemCounts)
  #expect(batch.itemCountsAfter == new.itemCounts)
  if batch.isReset { return }
  let positions = batch.positions()
  // Sections: what moves or goes is taken out, the rest keeps its order, what comes is put to where it is afterwards.
  let updated = Set(positions.updatedSections)
  var rows = Dictionary(uniqueKeysWithValues: old.indices.map { ($0, old[$0].items.map(Optional.some)) })
  for position in positions.updatedItems { rows[position.section]?[position.item] = nil }
  let movedItems = positions.movedItems.map { ($0.to, rows[$0.from.section]?[$0.from.item] ?? nil) }
  for position in (positions.removedItems + positions.movedItems.map(\.from)).sorted().reversed() {
    rows[position.section]?.remove(at: position.item)
  }
  var order = old.indices.filter { index in
    !positions.removedSections.contains(index) && !positions.movedSections.contains { $0.from == index }
  }.map(Optional.some)
  let coming =
    positions.insertedSections.map { ($0, Int?.none) } + positions.movedSections.map { ($0.to, Optional($0.from)) }
  for (index, origin) in coming.sorted(by: { $0.0 < $1.0 }) { order.insert(origin, at: index) }
  var result: [[Section.Item?]?] = order.map { origin in
    origin.flatMap { updated.contains($0) ? nil : rows[$0] }
  }
  for (position, item) in (positions.insertedItems.map { ($0, nil) } + movedItems).sorted(by: { $0.0 < $1.0 }) {
    result[position.section]?.insert(item, at: position.item)
  }
  #expect(result.count == new.count)
  for (rows, section) in zip(result, new) {
    // What was not told to come is what was there.
    guard let rows else { continue }
    #expect(rows.count == section.items.count, "\(change) from \(old) to \(new)")
    #expect(zip(rows, section.items).allSatisfy { $0 == nil || $0 == $1 }, "\(change) from \(old) to \(new)")
  }
}

/// The same numbers for the same seed.
private struct TestRandom: RandomNumberGenerator {
  private var numbers: SplitMix

  init(seed: UInt64) { numbers = SplitMix(seed: seed) }

  mutating func next() -> UInt64 { numbers.next() }

  mutating func items() -> [Int] {
    (0..<Int.random(in: 0...6, using: &self)).map { _ in Int.random(in: 0...9, using: &self) }
  }

  /// An operation that fits, which is done to the model too.
  mutating func edit(_ model: inout [[Int]]) -> CollectionChange<ItemSection<Int>>.Operation {
    let filled = model.indices.filter { !model[$0].isEmpty }
    let kind = Int.random(in: 0..<30, using: &self)
    if model.isEmpty || (kind < 3 && model.count < 6) {
      let (index, items) = (Int.random(in: 0...model.count, using: &self), items())
      model.insert(items, at: index)
      return .insertSection(ItemSection(items), at: index)
    }
    let section = Int.random(in: 0..<model.count, using: &self)
    switch kind {
    case 3..<6:
      model.remove(at: section)
      return .removeSection(at: section)
    case 6..<9:
      let to = Int.random(in: 0..<model.count, using: &self)
      model.insert(model.remove(at: section), at: to)
      return .moveSection(from: section, to: to)
    case 9:
      model[section] = items()
      return .updateSection(ItemSection(model[section]), at: section)
    case 10:
      model = (0..<Int.random(in: 0...4, using: &self)).map { _ in items() }
      return .reset(model.map { ItemSection($0) })
    default: break
    }
    guard kind > 16, let from = filled.randomElement(using: &self) else {
      let (index, item) = (Int.random(in: 0...model[section].count, using: &self), Int.random(in: 0...9, using: &self))
      model[section].insert(item, at: index)
      return .insertItem(item, at: at(section, index))
    }
    let index = Int.random(in: 0..<model[from].count, using: &self)
    switch kind {
    case 17..<22:
      model[from].remove(at: index)
      return .removeItem(at: at(from, index))
    case 22..<26:
      model[from][index] += 10
      return .updateItem(model[from][index], at: at(from, index))
    default:
      let item = model[from].remove(at: index)
      let to = at(section, Int.random(in: 0...model[section].count, using: &self))
      model[section].insert(item, at: to.item)
      return .moveItem(from: at(from, index), to: to)
    }
  }
}
