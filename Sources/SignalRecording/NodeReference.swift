/// A node of a chain, for what hangs on it. It keeps the chain's record.
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

  /// Only for who knows that the record is still there.
  init(_ record: ChainRecord, _ identifier: UInt64) {
    keeper = Keeper(record)
    self.identifier = identifier
  }

  /// The chain of the node, which is there for as long as this.
  var record: ChainRecord { keeper.record }

  /// Nil when nobody holds the recorder any more.
  package var recorder: GraphRecorder? { withExtendedLifetime(keeper) { keeper.record.recorder } }

  var owner: NodeOwner? { withExtendedLifetime(keeper) { keeper.record.owner } }

  /// Where the node is written.
  package var site: Site? { withExtendedLifetime(keeper) { keeper.record.site(of: identifier) } }
}
