/// What the graph keeps of a source that many may subscribe to, such as an emitter: one node for all of them, once there is one of them.
@usableFromInline
struct SourceRecording: ~Copyable, Sendable {
  /// Where the source counts its values.
  typealias Counters = SourceNode.Counters

  /// The bit of a source's gate which is set while entries are traced.
  static var tracedBit: UInt32 { Counters.tracedBit }

  private let site: Site
  @usableFromInline let recorder: Recorder
  private let reference = SourceReference()

  /// - Parameter recorder: The current one for a source that is made here and now out of nothing.
  @usableFromInline
  init(_ site: Site, _ recorder: Recorder) {
    self.site = site
    self.recorder = recorder
  }

  /// Where the source is written.
  var place: SubscriptionSite { SubscriptionSite(site) }

  /// The node, once there is one.
  var graphNode: SourceNode? { reference.node }

  /// Notes that a subscription has reached the source, if there is a node already.
  ///
  /// - Parameter sent: How many values the source has sent.
  /// - Returns: Whether there is one, or none is needed.
  func connect(_ subscription: SubscriptionRecording, after sent: UInt64) -> Bool {
    subscription.record.map { reference.connect($0, after: sent) } ?? true
  }

  /// Makes the node for the first subscription that is recorded.
  ///
  /// - Parameters:
  ///   - node: That of the operator that the values come from, if the source is one of its signals.
  ///   - counters: They are read until ``disposed()`` is called.
  ///   - end: Reads the end that the source has come to, and whether it did because nobody kept it.
  func makeNode(
    for subscription: SubscriptionRecording, of node: OperatorNode?, _ counters: Counters,
    end: () -> (Completion, isReleased: Bool)?
  ) {
    guard let record = subscription.record else { return }
    note(reference.makeNode(site, of: node?.reference, recorder.recorder, for: record, counters), end)
  }

  /// Makes the node for a connection that may come before the first subscription, where somebody records.
  func makeNode(_ counters: Counters, end: () -> (Completion, isReleased: Bool)?) {
    note(reference.makeNode(site, inheriting: recorder.recorder, counters), end)
  }

  private func note(_ node: SourceNode?, _ end: () -> (Completion, isReleased: Bool)?) {
    guard let node else { return }
    // Whoever ended the source before this has found no node to tell of it.
    if let (completion, isReleased) = end() {
      node.ended(failure: completion.failure, isEarlier: true, isReleased: isReleased)
    }
  }

  /// Notes that a value is about to be left behind for whoever is inside. It may be called under the source's lock.
  @usableFromInline
  func noteLateSend() {
    reference.node?.noteLateSend()
  }

  /// Notes that a value was sent to the source after its end. It may be called under the source's lock.
  @usableFromInline
  func noteSendAfterEnd() {
    reference.node?.noteSendAfterEnd()
  }

  /// Notes that this thread enters the source, while that is traced. Called under the source's lock.
  func entered() {
    reference.node?.entered()
  }

  /// Notes that this thread leaves the source. Called under the source's lock.
  func left() {
    reference.node?.left()
  }

  /// Notes the end.
  func ended(_ completion: Completion, isReleased: Bool) {
    reference.node?.ended(failure: completion.failure, isReleased: isReleased)
  }

  /// Notes that the source is going away.
  func disposed() {
    reference.node?.disposed()
  }
}
