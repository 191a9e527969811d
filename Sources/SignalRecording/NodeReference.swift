/// A reference to a node of a chain. It retains the chain's record.
@usableFromInline
package struct NodeReference: Sendable {
  private final class Keeper: Sendable {
    let record: ChainRecord

    init(_ record: ChainRecord) {
      record.keep()
      self.record = record
    }

    deinit { record.letGo() }
  }

  private let keeper: Keeper
  let identifier: UInt64

  /// Only for a caller that knows that the record still exists.
  init(_ record: ChainRecord, _ identifier: UInt64) {
    keeper = Keeper(record)
    self.identifier = identifier
  }

  /// The chain of the node, which exists as long as this.
  var record: ChainRecord { keeper.record }

  /// Nil when the recorder is deallocated.
  package var recorder: GraphRecorder? { withExtendedLifetime(keeper) { keeper.record.recorder } }

  var owner: NodeOwner? { withExtendedLifetime(keeper) { keeper.record.owner } }

  /// The location of the node.
  package var site: Site? { withExtendedLifetime(keeper) { keeper.record.site(of: identifier) } }
}
