import DequeModule

/// What ended and is kept for snapshots: a source, or chains that one shard handed over together.
enum EndedMembers: Sendable {
  /// A chain, which is kept until ``letGo()``, and how much it counts against the limit.
  case chain(ChainRecord, weight: Int)
  /// Several of them, and how much they count together.
  case chains(ContiguousArray<ChainRecord>, weight: Int)
  case source(SourceNode)
  case reported(ReportedNode)

  /// How much it counts against the limit.
  var weight: Int {
    switch self {
    case .chain(_, let weight), .chains(_, let weight): weight
    case .source, .reported: 1
    }
  }

  /// Lets go of chains, and traces a source no more. Not under a lock.
  func letGo() {
    switch self {
    case .chain(let record, _): record.letGo()
    case .chains(let records, _): for record in records { record.letGo() }
    case .source(let source): source.forgetCauses()
    case .reported: break
    }
  }
}

/// What is not kept any more, and is let go of after a lock. Usually it is none or one.
struct DroppedMembers {
  private var first: EndedMembers?
  private var others: [EndedMembers] = []

  mutating func add(_ members: EndedMembers) {
    if first == nil { first = members } else { others.append(members) }
  }

  /// Not under a lock: this frees memory, and what it refers to.
  func letGo() {
    first?.letGo()
    for members in others { members.letGo() }
  }
}

extension GraphRecorder.State {
  /// Keeps what has ended, in place of the oldest where there is too much.
  mutating func keepEnded(_ members: EndedMembers, limit: Int, dropping dropped: inout DroppedMembers) {
    let weight = members.weight
    while endedNodeCount + weight > limit, let oldest = ended.popFirst() {
      endedNodeCount -= oldest.weight
      oldest.countGone(in: &gone)
      dropped.add(oldest)
    }
    ended.append(members)
    endedNodeCount += weight
  }
}
