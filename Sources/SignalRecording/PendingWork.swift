/// Something that a scheduler was asked to do and has not done yet.
package struct PendingWork: Sendable {
  /// How far the work is.
  package enum Stage: Sendable {
    /// It waits for its time.
    case waiting
    /// It has no delay, and is in a queue that moves only when virtual time is advanced.
    case queued
    /// It is in a real queue without a delay, or is being done right now: it will be over without anybody's doing.
    case onItsWay
    /// It is a task that has not ended, as far as that is known.
    case running
  }

  package let identifier: UInt64
  /// Where it was asked for, when known.
  package let site: Site?
  /// The node that asked for it, when an operator did.
  package let node: UInt64?
  package internal(set) var stage: Stage
  /// The entry of the task in which it was asked for, where tasks are noted.
  package var task: UInt64?
  /// Whether nothing but the task names it, if anything does: a sleep.
  package var isAnonymous = false
  /// What is known of the task, if it is one.
  package var running: RunningTask?
  /// What caused it, where causes are traced.
  var cause: CarriedCause?
  /// How the program came to ask for it, where that is captured.
  package var trace: (any Sendable)?
}

/// Who asks a scheduler for work.
///
/// What these functions run gives nothing back: they are not specialised outside of their room.
package enum WorkAuthor: Sendable {
  case node(NodeReference)
  case place(Site)
  /// An operator of a chain that is not recorded.
  case stranger

  @TaskLocal static var current: WorkAuthor?

  /// Where the work is asked for that is scheduled here and now, when that is known.
  package static var currentSite: Site? {
    switch current {
    case .node(let author): author.site
    case .place(let place): place
    case .stranger, nil: nil
    }
  }

  /// Lets work that `body` schedules show as made at a place, when the graph is on and no operator asks for it.
  package static func at(_ site: Site, _ body: () -> Void) {
    guard Introspection.isOn, current == nil else { return body() }
    $current.withValue(.place(site), operation: body)
  }

  /// Lets work that `body` schedules show as made by an operator, when that is recorded.
  ///
  /// It does so too when recording has been turned off since: who looks for leaks afterwards waits for the work of what was recorded.
  package static func by(_ node: NodeReference, _ body: () -> Void) {
    Introspection.addReason()
    defer { Introspection.removeReason() }
    $current.withValue(.node(node), operation: body)
  }

  /// Lets work that `body` schedules not show: an operator asks for it whose chain is not recorded, so it belongs to nobody here.
  package static func byStranger(_ body: () -> Void) {
    $current.withValue(.stranger, operation: body)
  }

  /// Runs work that a scheduler does before it returns; what that work schedules has an author of its own.
  package static func leave(_ work: () -> Void) {
    guard Introspection.isOn, current != nil else { return work() }
    $current.withValue(nil, operation: work)
  }
}

/// One entry in a recorder's list of pending work.
package struct PendingWorkToken: Sendable {
  private let recorder: GraphRecorder
  package let identifier: UInt64

  /// Notes work that is being scheduled here and now, when the graph is on.
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
    // Work of a chain belongs to the chain's recorder, also when nobody holds that any more.
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

  /// Notes a task that is being started here and now, when somebody looks for leaks.
  ///
  /// - Parameters:
  ///   - node: That of the operator that starts it.
  ///   - site: Where it is started, if no operator does it and the place is known.
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

  /// Notes that the work is being done, and does it: what it makes is recorded where the work is.
  package func run(_ work: () -> Void) {
    let (node, cause) = recorder.beginPending(identifier)
    guard recorder.link.isTracing else { return recorder.doingWork(work) }
    let frame = CauseFrame(place: .work(of: node ?? 0), number: cause?.number ?? 0, under: cause?.under ?? 0)
    CauseTracing.thread.with(frame) { recorder.doingWork(work) }
  }

  /// Notes that the work was done or cancelled, and released.
  package func end() { recorder.removePending(identifier) }
}
