import Signals

/// The lanes that a cold source of one subscription has opened, and how many values were planned for each.
final class ColdJournal: Sendable {
  /// How many values a lane of a cold source has.
  static let count = 12
  private let opened = Guarded<[Lane]>([])
  private let lanes: Lanes

  init(_ lanes: Lanes) { self.lanes = lanes }

  var allLanes: [Lane] { opened.elements() }

  func open() -> Lane {
    let lane = lanes.open()
    opened.withLock { $0.append(lane) }
    return lane
  }
}

extension ColdPlan {
  /// A source that begins with each subscription, with lanes of its own.
  func signal(_ journal: ColdJournal) -> Signal<Int> {
    switch self {
    case .alternating, .alternatingThenFailing:
      Signal { producer in
        let lane = journal.open()
        for number in 1...ColdJournal.count {
          let value = lane.next()
          if number.isMultiple(of: 2) {
            Helpers.shared.andWait { producer.send(value) }
          } else {
            producer.send(value)
          }
        }
        if self == .alternating { producer.finish() } else { producer.fail(PlannedFailure()) }
      }
    case .elsewhere: Self.elsewhere(journal)
    case .besideSequence:
      .deferred {
        let lane = journal.open()
        let values = (1...ColdJournal.count).map { _ in lane.next() }
        return .merge([Self.elsewhere(journal), .sequence(values)])
      }
    }
  }

  private static func elsewhere(_ journal: ColdJournal) -> Signal<Int> {
    Signal { producer in
      let lane = journal.open()
      Helpers.shared.start {
        for _ in 1...ColdJournal.count { producer.send(lane.next()) }
        producer.finish()
        // Counted at the node, whose subscription has ended.
        producer.send(Stamp.unmarked)
      }
    }
  }
}
