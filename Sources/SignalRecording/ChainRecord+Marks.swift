import SignalGraph
import Synchronization

extension ChainRecord {
  /// Facts about the end of a chain: a bit each.
  enum Mark: UInt8 {
    /// It was released so soon that it cannot have been retained intentionally.
    case short = 1
    /// It ended because it was released, while its source, or that of its inputs, had nothing to send.
    case released = 2
    /// Its owner was deallocated when a value came: the handler was not called.
    case unheard = 4
    /// An input of its uppermost operator ended whose source had ended before; and one that came in time.
    case lateInput = 8
    case timelyInput = 16
    /// The source of an input of an operator on the path upstream sent a value. Noted only during a test.
    case suppliedInput = 32
    /// Its source replays nothing to it: only changes are of interest.
    case skipsReplay = 64
  }

  /// Notes that its source replays nothing to it. By the thread that connects it, before the source.
  package func noteSkippedReplay() { mark(.skipsReplay) }

  func mark(_ mark: Mark) { head.pointee.marks.bitwiseOr(mark.rawValue, ordering: .relaxed) }

  func has(_ mark: Mark) -> Bool { head.pointee.marks.load(ordering: .relaxed) & mark.rawValue != 0 }

  /// Notes that it ended so soon that it cannot have been retained intentionally, if that is so.
  func markIfShort(within milliseconds: UInt64 = 10) {
    if CoarseTime.now.milliseconds <= beganAt.milliseconds + milliseconds { mark(.short) }
  }

  /// Notes that a value came whose handler was not called, because its owner is deallocated. It is not known since
  /// when.
  ///
  /// Only inside the call of a closure of the chain: its tap holds the record.
  package func noteUnheard() {
    guard let lowestNode, lowestNode.valueCount > 0 else { return }
    mark(.unheard)
    markIfShort(within: 100)
  }

  /// The number of values whose handler was called.
  ///
  /// A value is counted before it is known to be unheard, and a reader may see the two in either order.
  ///
  /// - Parameter count: The number of values that reached the subscriber, read before.
  func heardCount(of count: UInt64) -> UInt64 { has(.unheard) ? count - min(count, 1) : count }

  // MARK: What was released too soon

  /// Whether no source has sent a value for this chain, or replayed one; it may have been filtered out. If it begins at an operator with inputs, they note
  /// their own values, when they end, see ``noteSupplyBelow()``.
  var isSourceSilent: Bool {
    guard let source else { return uppermostValueCount == 0 }
    return sentCount(of: source) == 0 && !hasReplay(of: source)
  }

  /// Whether a source had a value to replay to this chain.
  func hasReplay(of source: SourceNode) -> Bool {
    source.remembers && !has(.skipsReplay)
      && (source.site.behavior.contains(.holdsValue) || head.pointee.sentBefore.load(ordering: .relaxed) > 0)
  }

  /// Notes, in the chains that this one is an input of, that its source has sent a value, or replayed one.
  func noteSupplyBelow() {
    guard downstream != nil, has(.suppliedInput) || !isSourceSilent else { return }
    var record = self
    // A trigger or a sampled input alone supplies no value.
    while let downstream = record.downstream, ![.trigger, .sampled].contains(downstream.kind),
      case .node(let node) = downstream.target
    {
      node.record.mark(.suppliedInput)
      record = node.record
    }
  }

  // MARK: What came late

  /// The number of values that a source has sent since this chain was connected to it.
  func sentCount(of source: SourceNode) -> UInt64 {
    let sent = source.sentCount
    return sent - min(sent, head.pointee.sentBefore.load(ordering: .relaxed))
  }

  /// Notes, at the operator that it is an input of, whether it came late: before the operator gets the end.
  func noteLatenessBelow() {
    guard let downstream, case .node(let node) = downstream.target, [.data, .hop].contains(downstream.kind) else {
      return
    }
    node.record.mark(isLate(before: node.identifier) ? .lateInput : .timelyInput)
  }

  /// Whether its sources had ended before it was created, and replayed no value.
  ///
  /// - Parameter identifier: The identifier of a node below, which is used if the chain has none.
  func isLate(before identifier: UInt64) -> Bool {
    let lowest = lowestNode
    guard lowest?.valueCount ?? 0 == 0 else { return false }
    guard let source else { return haveInputsComeLate }
    // Without a node it is not known whether a replayed value came.
    return source.hadEnded(before: lowest?.identifier ?? identifier) && !hasReplay(of: source)
      && (lowest != nil || !source.remembers)
  }

  /// Whether all inputs of its uppermost operator that have ended had sources which had ended before.
  var haveInputsComeLate: Bool { has(.lateInput) && !has(.timelyInput) }
}
