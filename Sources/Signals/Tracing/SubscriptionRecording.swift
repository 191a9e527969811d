import Synchronization

/// The graph's record of one subscription; empty while the graph is off.
///
/// It does not retain the record. Once the subscription is connected, only the thread that ended the subscription may
/// use it, once, and the subscription's handler while it is called; see ``ChainRecord``.
@usableFromInline
struct SubscriptionRecording: Sendable {
  #if SIGNALS_WITHOUT_GRAPH
    @inlinable var record: ChainRecord? { nil }

    @inlinable
    init(_ record: ChainRecord?) {}
  #else
    @usableFromInline let record: ChainRecord?

    @inlinable
    init(_ record: ChainRecord?) {
      self.record = record
    }
  #endif

  /// For a subscription that is not recorded.
  @inlinable
  static var none: SubscriptionRecording { SubscriptionRecording(nil) }

  /// Whether there is a record.
  @inlinable
  var isOn: Bool { record != nil }

  /// Names the next node, unless an operator nearer to the subscriber has named it, and sets the channel that it is an
  /// end of.
  @usableFromInline
  func nameNext(_ name: String, _ link: ChannelLink? = nil) {
    guard let record else { return }
    record.nameNext(name)
    if let link { record.linkNext(link) }
  }

  /// Notes that the source replays nothing to this subscription.
  func noteSkippedReplay() {
    record?.noteSkippedReplay()
  }

  /// Notes that the chain is connected.
  @inlinable
  func connected() {
    if isOn { noteConnected() }
  }

  @usableFromInline
  func noteConnected() {
    record?.connected()
  }

  /// Notes that the subscription is over. Called once, by the thread that ended it.
  @inlinable
  func ended(disposed: Bool) {
    if isOn { noteEnded(disposed: disposed) }
  }

  @usableFromInline
  func noteEnded(disposed: Bool) {
    record?.subscriptionEnded(disposed ? .disposed : .completed)
  }

  // Each of these is called once, instead of ``ended(disposed:)``.

  /// Notes that the subscription is over because the bag that held it was released.
  @usableFromInline
  func releasedWithBag() {
    record?.subscriptionEnded(.releasedWithBag)
  }

  /// Notes that the subscription is over because its last reference was released.
  func released() {
    record?.subscriptionEnded(.released)
  }

  /// Notes that the subscription is over because its owner is deallocated.
  @usableFromInline
  func ownerGone() {
    record?.subscriptionEnded(.ownerGone)
  }

  /// Notes that the subscription is over because the actor on which its values are delivered is deallocated.
  func actorGone() {
    record?.subscriptionEnded(.actorGone)
  }

  /// Notes that a value is not handled, because the owner is deallocated. Only inside the call of the subscription's
  /// handler: the closure that calls the handler retains the tap of the subscriber's node, and a tap holds the record.
  func unheard() {
    record?.noteUnheard()
  }
}

/// The object that a subscription ends with, as recorded in the graph.
@usableFromInline
struct SubscriptionOwner: Sendable {
  let owner: NodeOwner
  /// The node of the owner, if that is a source into which each value is written.
  let target: SourceNode?

  /// - Parameters:
  ///   - object: Retained by the caller.
  ///   - bond: Ends the subscription with the object; it stores whether each value is written into that.
  @usableFromInline
  init(_ object: AnyObject, _ bond: OwnerBond? = nil) {
    owner = NodeOwner(object)
    target =
      bond?.isBinding == true ? ((object as? any BindingTarget)?.source as? any BoundSource)?.makeGraphNode() : nil
  }

  /// The owners of bags that were found when the graph was last read: so they are the same when it is read again.
  private static let known = Mutex<[SubscriptionOwner]>([])

  /// Sets the closure that calls another one for each of the process's bags, when the graph is read.
  static func askingBags(
    _ forEachBag: @escaping @Sendable (_ body: (_ bag: DisposeBag, _ owner: AnyObject) -> Void) -> Void
  ) {
    GraphRecorder.askingBags {
      var owners: [UInt: NodeOwner] = [:]
      var found: [SubscriptionOwner] = []
      forEachBag { bag, object in
        let owner = SubscriptionOwner(object)
        found.append(owner)
        for case let subscription as Subscription in bag.items where !subscription.isDisposed {
          if let record = subscription.recording.record { owners[record.address] = owner.owner }
        }
      }
      known.withLock { swap(&$0, &found) }
      return owners
    }
  }
}

extension Subscription {
  // Each of these is followed by `recording.connected()`.

  /// Records the chain of this subscription, if there is a recorder.
  ///
  /// - Parameter capacity: The capacity for the nodes that are known beforehand.
  @usableFromInline
  func beginRecording(owner: SubscriptionOwner?, _ recorder: Recorder, capacity: ChainCapacity) {
    recording = SubscriptionRecording(
      ChainRecord.begin(
        inheriting: recorder.recorder, owner: owner?.owner, writingTo: owner?.target, capacity: capacity))
    if let record = recording.record, record.findsSubscription { record.noteSubscription { [weak self] in self } }
  }

  /// Records the chain of this subscription, an operator's input, where the operator is recorded.
  @inlinable
  func beginRecording<Input>(_ signal: Signal<Input>, as role: InputRole, of node: OperatorNode) {
    if node.isRecorded { beginRecording(below: node, as: role, capacity: signal.chainCapacity) }
  }

  @usableFromInline
  func beginRecording(below node: OperatorNode, as role: InputRole, capacity: ChainCapacity) {
    guard let reference = node.reference else { return }
    recording = SubscriptionRecording(ChainRecord.begin(below: reference, as: role.edgeKind, capacity: capacity))
  }

  /// Records the chain of this subscription, from which all subscribers of a source get their values, where the source
  /// is recorded.
  func beginRecording<Value>(_ signal: Signal<Value>, below source: borrowing SourceRecording) {
    guard let node = source.graphNode else { return }
    recording = SubscriptionRecording(ChainRecord.begin(below: node, capacity: signal.chainCapacity))
  }
}
