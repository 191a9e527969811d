public import Synchronization

/// One subscription of an operator that delivers signals, its branches, and hands on in them the values of what is above it.
///
/// What is below the operator is a junction's; what is above it is kept by the ``BranchKeeper``, as branches may outlive the former. What the
/// operator does runs where its values come from, one piece at a time (law 3).
@usableFromInline
struct Branching<Value: Sendable, Output: Sendable>: Sendable {
  @usableFromInline let outer: Junction<Output>
  @usableFromInline let keeper: BranchKeeper
  @usableFromInline let site: Site
  @usableFromInline let recorder: Recorder

  /// - Parameters:
  ///   - site: The operator's; its branches have it too.
  ///   - source: What the operator is made of.
  ///   - isDirect: Whether ``connect(_:_:)`` follows, and not ``junction(to:)``.
  @inlinable
  init<Input>(
    _ downstream: Observer<Output>, _ subscription: Subscription, _ site: Site, of source: Signal<Input>,
    isDirect: Bool = false
  ) {
    outer = Junction(downstream, subscription)
    keeper = BranchKeeper(for: subscription)
    self.site = site
    recorder = source.recorder
    // Before anybody else has it.
    if isDirect { keeper.upstream.beginRecording(source, as: .values, of: outer.node) }
    outer.adopt(keeper, as: outer.reserveKey())
  }

  /// Connects what is above.
  @inlinable
  func connect(_ source: Signal<Value>, _ observer: consuming Observer<Value>) {
    let upstream = keeper.upstream
    defer { upstream.recording.connected() }
    if !isOver { source.connect(observer, upstream) }
  }

  /// Where several inputs, or a queue, stand between what is above and the operator.
  @inlinable
  func junction<Step: Sendable>(to observer: Observer<Step>) -> Junction<Step> {
    Junction(observer, keeper.upstream, node: outer.node)
  }

  /// Whether nobody takes anything any more. Who delivers several things asks in between.
  @inlinable var isOver: Bool { keeper.isOver.load(ordering: .acquiring) }

  /// Whether somebody takes further branches.
  @inlinable var takesBranches: Bool { !outer.isClosed.load(ordering: .acquiring) }

  /// Makes a branch.
  @inlinable
  func makeBranch() -> BranchCore<Value> {
    BranchCore(of: self)
  }

  /// Delivers something to whoever takes the branches.
  @inlinable
  func deliver(_ output: Output) {
    if outer.enter() {
      outer.attempt { try outer.emit(output) }
      outer.leave()
    } else {
      let outer = outer
      outer.perform { outer.attempt { try outer.emit(output) } }
    }
  }

  /// Stops what is above when nobody takes anything any more.
  @inlinable
  func checkIsTaken() throws {
    if keeper.isOver.load(ordering: .relaxed) { throw StopDelivery() }
  }

  /// Ends the operator; its branches have to be closed before.
  @usableFromInline
  func end(_ completion: Completion) {
    let outer = outer
    outer.perform { outer.end(completion) }
  }
}
