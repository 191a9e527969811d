import DequeModule

/// An ended member that is retained for snapshots: a source, or a batch of chains of one shard.
enum EndedMembers: Sendable {
  /// A chain, which is retained until ``letGo()``, and its weight against the limit.
  case chain(ChainRecord, weight: Int)
  /// Several of them, and their total weight.
  case chains(ContiguousArray<ChainRecord>, weight: Int)
  case source(SourceNode)
  case reported(ReportedNode)

  /// The weight against the limit.
  var weight: Int {
    switch self {
    case .chain(_, let weight), .chains(_, let weight): weight
    case .source, .reported: 1
    }
  }

  /// Releases chains, and stops recording a source. Not under a lock.
  func letGo() {
    switch self {
    case .chain(let record, _): record.letGo()
    case .chains(let records, _): for record in records { record.letGo() }
    case .source(let source): source.forgetCauses()
    case .reported: break
    }
  }
}

/// Members that are no longer retained, to be released after a lock. Usually none or one.
struct DroppedMembers {
  private var first: EndedMembers?
  private var others: [EndedMembers] = []

  mutating func add(_ members: EndedMembers) {
    if first == nil { first = members } else { others.append(members) }
  }

  /// Not under a lock: this frees memory, and the objects that it references.
  func letGo() {
    first?.letGo()
    for members in others { members.letGo() }
  }
}

extension GraphRecorder.State {
  /// Retains an ended member, and drops the oldest ones above the limit.
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
