import SignalGraph
import Synchronization

extension ChainRecord {
  /// What was seen of the end of a chain: a bit each.
  enum Mark: UInt8 {
    /// It was released in so short a time that nobody can have meant to keep it.
    case short = 1
    /// It was over because nobody kept it, while its source had nothing to send.
    case released = 2
    /// Its owner was gone when a value came: the handler was not called.
    case unheard = 4
    /// An input of its uppermost operator ended whose source had ended before; and one that came in time.
    case lateInput = 8
    case timelyInput = 16
  }

  func mark(_ mark: Mark) { head.pointee.marks.bitwiseOr(mark.rawValue, ordering: .relaxed) }

  func has(_ mark: Mark) -> Bool { head.pointee.marks.load(ordering: .relaxed) & mark.rawValue != 0 }

  /// Notes that it is over so soon that nobody can have meant to keep it, if that is so.
  func markIfShort(within milliseconds: UInt64 = 10) {
    if CoarseTime.now.milliseconds <= beganAt.milliseconds + milliseconds { mark(.short) }
  }

  /// Notes that a value came whose handler was not called, because its owner is deallocated. It is not known since when.
  ///
  /// Only inside the call of a closure of the chain: its tap holds the record.
  package func noteUnheard() {
    guard let lowestNode, lowestNode.valueCount > 0 else { return }
    mark(.unheard)
    markIfShort(within: 100)
  }

  /// How many values reached the subscriber without a call of its handler.
  var unheardCount: UInt64 { has(.unheard) ? 1 : 0 }

  // MARK: What came late

  /// How many values a source has sent since this chain was connected to it.
  func sentCount(of source: SourceNode) -> UInt64 {
    let sent = source.sentCount
    return sent - min(sent, head.pointee.sentBefore.load(ordering: .relaxed))
  }

  /// Notes, at the operator that it is an input of, whether it came late: before the operator is told the end.
  func noteLatenessBelow() {
    guard let downstream, case .node(let node) = downstream.target, [.data, .hop].contains(downstream.kind) else {
      return
    }
    node.record.mark(isLate(before: node.identifier) ? .lateInput : .timelyInput)
  }

  /// Whether its sources had ended before it was made, and nothing came.
  ///
  /// - Parameter identifier: That of a node below, which counts where the chain has none.
  func isLate(before identifier: UInt64) -> Bool {
    let lowest = lowestNode
    guard lowest?.valueCount ?? 0 == 0 else { return false }
    guard let source else { return haveInputsComeLate }
    // Without a node it is not known whether a value came that the source remembered.
    return source.hadEnded(before: lowest?.identifier ?? identifier) && (lowest != nil || !source.remembers)
  }

  /// Whether all inputs of its uppermost operator that have ended had sources which had ended before.
  var haveInputsComeLate: Bool { has(.lateInput) && !has(.timelyInput) }
}
