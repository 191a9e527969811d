/// The graph's record of a source with several subscribers, such as an emitter: one node for all of them, once one is
/// recorded.
@usableFromInline
struct SourceRecording: ~Copyable, Sendable {
  /// The addresses of the source's counters.
  typealias Counters = SourceNode.Counters

  /// The bit of a source's gate which is set while entries are recorded.
  static var tracedBit: UInt32 { Counters.tracedBit }

  private let site: Site
  @usableFromInline let recorder: Recorder
  private let reference = SourceReference()

  /// - Parameter recorder: The current one for a source that is created here and now.
  @usableFromInline
  init(_ site: Site, _ recorder: Recorder) {
    self.site = site
    self.recorder = recorder
  }

  /// The location of the source.
  var place: SubscriptionSite { SubscriptionSite(site) }

  /// The node, once there is one.
  var graphNode: SourceNode? { reference.node }

  /// Notes that a subscription has reached the source, if there is a node already.
  ///
  /// - Parameter sent: The number of values that the source has sent.
  /// - Returns: Whether there is one, or none is needed.
  func connect(_ subscription: SubscriptionRecording, after sent: UInt64) -> Bool {
    subscription.record.map { reference.connect($0, after: sent) } ?? true
  }

  /// Makes the node for the first subscription that is recorded.
  ///
  /// - Parameters:
  ///   - node: The node of the operator that the values come from, if the source is one of its signals.
  ///   - counters: They are read until ``disposed()`` is called.
  ///   - end: Reads the end of the source, and whether a release caused it.
  func makeNode(
    for subscription: SubscriptionRecording, of node: OperatorNode?, _ counters: Counters,
    end: () -> (Completion, isReleased: Bool)?
  ) {
    guard let record = subscription.record else { return }
    note(reference.makeNode(site, of: node?.reference, recorder.recorder, for: record, counters), end)
  }

  /// Creates the node for a connection that may come before the first subscription, if recording is on.
  func makeNode(_ counters: Counters, end: () -> (Completion, isReleased: Bool)?) {
    note(reference.makeNode(site, inheriting: recorder.recorder, counters), end)
  }

  private func note(_ node: SourceNode?, _ end: () -> (Completion, isReleased: Bool)?) {
    guard let node else { return }
    // An end of the source before this has found no node.
    if let (completion, isReleased) = end() {
      node.ended(failure: completion.failure, isEarlier: true, isReleased: isReleased)
    }
  }

  /// Notes that a value is about to be enqueued for the thread inside. It may be called under the source's lock.
  @usableFromInline
  func noteLateSend() {
    reference.node?.noteLateSend()
  }

  /// Notes that a value was sent to the source after its end. It may be called under the source's lock.
  @usableFromInline
  func noteSendAfterEnd() {
    reference.node?.noteSendAfterEnd()
  }

  /// Notes that this thread enters the source, while entries are recorded. Called under the source's lock.
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

  /// Notes that the source is being deallocated.
  func disposed() {
    reference.node?.disposed()
  }
}
