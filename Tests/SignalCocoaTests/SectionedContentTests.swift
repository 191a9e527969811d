import SignalCocoa
import Signals
import Testing

/// A view with the rule of table and collection views: after a batch, each section that stayed has as many items as it was told.
@MainActor private final class ListView: SectionedView {
  var counts: () -> [Int] = { [] }
  private(set) var shown: [Int] = []
  private(set) var log: [String] = []
  private(set) var complaints: [String] = []

  func showAnew() {
    shown = counts()
    log.append("anew")
  }

  func showChanges(_ changes: @escaping () -> Void) {
    if counts() != shown { complaints.append("changed before the batch") }
    log.append("batch")
    changes()
  }

  func show(_ positions: CollectionChangePositions) {
    var expected: [(section: Int, count: Int)] = []
    for (section, count) in shown.enumerated() where !positions.removedSections.contains(section) {
      let leaving =
        positions.removedItems.count { $0.section == section }
        + positions.movedItems.count { $0.from.section == section }
      expected.append((section, count - leaving))
    }
    let after = counts()
    if positions.movedSections.isEmpty, positions.updatedSections.isEmpty {
      var kept = expected.makeIterator()
      for (section, count) in after.enumerated() where !positions.insertedSections.contains(section) {
        let coming =
          positions.insertedItems.count { $0.section == section }
          + positions.movedItems.count { $0.to.section == section }
        guard let old = kept.next(), old.count + coming == count else {
          complaints.append("section \(section) has \(count) items")
          continue
        }
      }
    }
    shown = after
  }
}

private struct Shelf: CollectionSection, Identifiable, Equatable {
  let id: String
  var items: [String]
}

@MainActor @Suite struct SectionedContentTests {
  private func content(_ sections: [Shelf]) -> (ListView, SectionedContent<Shelf>) {
    let view = ListView()
    let content = SectionedContent(of: view, showing: sections)
    view.counts = { [weak content] in content?.sections.map(\.items.count) ?? [] }
    view.showAnew()
    return (view, content)
  }

  @Test func aChangeIsShownInOneBatch() throws {
    let (view, content) = content([Shelf(id: "tea", items: ["green", "black"])])
    try content.apply([
      .insertItem("white", at: CollectionPosition(section: 0, item: 1)),
      .removeItem(at: CollectionPosition(section: 0, item: 2)),
      .insertSection(Shelf(id: "coffee", items: ["bean"]), at: 0),
    ])
    #expect(content.sections == [Shelf(id: "coffee", items: ["bean"]), Shelf(id: "tea", items: ["green", "white"])])
    #expect(view.log == ["anew", "anew", "batch"])
    #expect(view.complaints.isEmpty)
  }

  @Test func aResetIsShownAnew() throws {
    let (view, content) = content([])
    try content.apply(.reset([Shelf(id: "tea", items: [])]))
    #expect(view.log == ["anew", "anew", "anew"])
    #expect(view.shown == [0])
  }

  @Test func aChangeThatDoesNotFitChangesNothing() {
    let (view, content) = content([Shelf(id: "tea", items: ["green"])])
    #expect(throws: CollectionChangeError.self) {
      try content.apply([.removeSection(at: 0), .removeSection(at: 0)])
    }
    #expect(content.sections == [Shelf(id: "tea", items: ["green"])])
    #expect(view.log == ["anew", "anew"])
  }

  @Test func noChangeShowsNothing() throws {
    let (view, content) = content([Shelf(id: "tea", items: ["green"])])
    content.show([Shelf(id: "tea", items: ["green"])])
    #expect(view.log == ["anew", "anew"])
  }

  @Test func anyStateLeadsToAnyOther() {
    var random = SplitMix(seed: 9)
    let (view, content) = content([])
    for _ in 0..<500 {
      let ids = ["a", "b", "c", "d"].shuffled(using: &random).prefix(Int.random(in: 0...4, using: &random))
      let next = ids.map { id in
        Shelf(
          id: id,
          items: (0..<Int.random(in: 0...5, using: &random)).map { "\($0 + Int.random(in: 0...2, using: &random))" })
      }
      content.show(next)
      #expect(content.sections == next)
      #expect(view.shown == next.map(\.items.count))
    }
    #expect(view.complaints.isEmpty)
  }

  @Test func aSignalOfChangesIsFollowed() async {
    let (_, content) = content([Shelf(id: "tea", items: [])])
    let changes = Emitter<CollectionChange<Shelf>>()
    let binding = content.follow(changes.signal)
    changes.send([.insertItem("green", at: CollectionPosition(section: 0, item: 0))])
    await turn()
    #expect(content.sections == [Shelf(id: "tea", items: ["green"])])
    binding.dispose()
    changes.send([.removeSection(at: 0)])
    await turn()
    #expect(content.sections.count == 1)
    #expect(changes.subscriberCount == 0)
  }

  @Test func withoutItsViewTheContentGoesOn() throws {
    let content: SectionedContent<Shelf>
    do {
      let view = ListView()
      content = SectionedContent(of: view)
    }
    try content.apply([.insertSection(Shelf(id: "tea", items: []), at: 0)])
    #expect(content.sections.count == 1)
  }
}

/// Numbers that are the same in each run.
private struct SplitMix: RandomNumberGenerator {
  var seed: UInt64

  mutating func next() -> UInt64 {
    seed &+= 0x9E37_79B9_7F4A_7C15
    var mixed = seed
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}
