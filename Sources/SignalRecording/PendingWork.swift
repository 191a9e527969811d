/// Work that was requested from a scheduler and has not been done.
package struct PendingWork: Sendable {
  /// The progress of the work.
  package enum Stage: Sendable {
    /// It waits for its deadline.
    case waiting
    /// It has no delay, and is in a queue that advances only with virtual time.
    case queued
    /// It is in a real queue without a delay, or is being done right now: it will end by itself.
    case onItsWay
    /// It is a task that has not ended, as far as known.
    case running
  }

  package let identifier: UInt64
  /// The location of the request, if known.
  package let site: Site?
  /// The node that requested it, if an operator did.
  package let node: UInt64?
  package internal(set) var stage: Stage
  /// The entry of the task in which it was requested, if tasks are recorded.
  package var task: UInt64?
  /// Whether at most the task identifies it: a sleep.
  package var isAnonymous = false
  /// The record of the task, if it is one.
  package var running: RunningTask?
  /// Its cause, while causes are tracked.
  var cause: CarriedCause?
  /// The backtrace of the request, if captured.
  package var trace: (any Sendable)?
}

/// The requester of a scheduler's work.
///
/// The closures of these functions return nothing: they are not specialised outside of their module.
package enum WorkAuthor: Sendable {
  case node(NodeReference)
  case place(Site)
  /// An operator of a chain that is not recorded.
  case stranger

  @TaskLocal static var current: WorkAuthor?

  /// The location that requests the work being scheduled here and now, if known.
  package static var currentSite: Site? {
    switch current {
    case .node(let author): author.site
    case .place(let place): place
    case .stranger, nil: nil
    }
  }

  /// Attributes work that `body` schedules to a location, if the graph is on and no operator requests it.
  package static func at(_ site: Site, _ body: () -> Void) {
    guard Introspection.isOn, current == nil else { return body() }
    $current.withValue(.place(site), operation: body)
  }

  /// Attributes work that `body` schedules to an operator, if that is recorded.
  ///
  /// It also does so when recording has been turned off since: a later leak check waits for the work of recorded
  /// operators.
  package static func by(_ node: NodeReference, _ body: () -> Void) {
    Introspection.addReason()
    defer { Introspection.removeReason() }
    $current.withValue(.node(node), operation: body)
  }

  /// Hides work that `body` schedules: an operator of an unrecorded chain requests it, so it belongs to no node here.
  package static func byStranger(_ body: () -> Void) {
    $current.withValue(.stranger, operation: body)
  }

  /// Runs work that a scheduler runs before it returns; work that it schedules has its own author.
  package static func leave(_ work: () -> Void) {
    guard Introspection.isOn, current != nil else { return work() }
    $current.withValue(nil, operation: work)
  }
}

/// One entry in a recorder's list of pending work.
package struct PendingWorkToken: Sendable {
  private let recorder: GraphRecorder
  package let identifier: UInt64

  /// Notes work that is being scheduled here and now, if the graph is on.
  package init?(_ stage: PendingWork.Stage, schedulerRecorder: GraphRecorder?) {
    guard Introspection.isOn else { return nil }
    let author = WorkAuthor.current
    var node: NodeReference?
    var site: Site?
    switch author {
    case .node(let author):
      node = author
      site = author.site
      author.noteSend()
    case .place(let place): site = place
    case .stranger: return nil
    case nil: site = TaskAuthor.current?.site
    }
    // Work of a chain belongs to the chain's recorder, even if that is deallocated.
    let owner = node == nil ? GraphRecorder.innermost(or: schedulerRecorder) : node?.recorder
    guard let recorder = owner else { return nil }
    self.recorder = recorder
    identifier = GraphRecorder.nextIdentifiers(1)
    recorder.add(
      PendingWork(
        identifier: identifier, site: site, node: node?.identifier, stage: stage, task: TaskAuthor.current?.entry,
        isAnonymous: author == nil, cause: recorder.link.isTracing ? CarriedCause(to: node) : nil,
        trace: recorder.captureCreation?()))
  }

  /// Notes a task that is being started here and now, during a leak check.
  ///
  /// - Parameters:
  ///   - node: The node of the operator that starts it.
  ///   - site: The location of its start, if no operator does it and the location is known.
  package init?(starting task: RunningTask, of node: NodeReference?, at site: Site?, schedulerRecorder: GraphRecorder?)
  {
    let owner = node.map(\.recorder) ?? GraphRecorder.innermost(or: schedulerRecorder)
    guard let recorder = owner, recorder.findsSubscriptions else { return nil }
    self.recorder = recorder
    identifier = GraphRecorder.nextIdentifiers(1)
    recorder.add(
      PendingWork(
        identifier: identifier, site: node?.site ?? site, node: node?.identifier, stage: .running,
        task: TaskAuthor.current?.entry, running: task, trace: recorder.captureCreation?()))
  }

  /// Notes that the work is running, and runs it: objects that it creates are recorded with it.
  package func run(_ work: () -> Void) {
    let (node, cause) = recorder.beginPending(identifier)
    guard recorder.link.isTracing else { return recorder.doingWork(work) }
    let frame = CauseFrame(place: .work(of: node ?? 0), number: cause?.number ?? 0, under: cause?.under ?? 0)
    CauseTracing.thread.with(frame) { recorder.doingWork(work) }
  }

  /// Notes that the work was done or cancelled, and released.
  package func end() { recorder.removePending(identifier) }
}
