/// What runs work, as the graph shows it. Its name is not made before somebody looks.
package struct RecordedScheduler: Sendable {
  /// Where the name comes from.
  package enum Name: Sendable {
    case text(StaticString)
    case type(any Any.Type)
    /// Told by an object, which is kept for as long as the chain is shown.
    case told(by: any AnyObject & Sendable, @Sendable (AnyObject) -> String)
  }

  private let source: Name
  /// The same for what runs work in one order, and, while that lives, for nothing else.
  let identity: Int

  package init(_ name: Name, identity: Int) {
    source = name
    self.identity = identity
  }

  /// A short name.
  var name: String {
    switch source {
    case .text(let text): "\(text)"
    case .type(let type): String(describing: type)
    case .told(by: let object, let name): name(object)
    }
  }
}

/// On what a node's work runs, and how long it waits.
package struct NodeSchedule: Sendable {
  let scheduler: RecordedScheduler
  /// In seconds; not a number if there is none. An optional would take more memory.
  private let seconds: Double
  private let secondsBefore: Double

  /// - Parameters:
  ///   - interval: How long the node waits each time.
  ///   - leadTime: How long it waits the first time, if that is something else.
  package init(on scheduler: RecordedScheduler, interval: Duration?, leadTime: Duration?) {
    self.scheduler = scheduler
    seconds = interval.map { $0 / .seconds(1) } ?? .nan
    secondsBefore = leadTime.map { $0 / .seconds(1) } ?? .nan
  }

  /// How long the node waits each time, in seconds.
  var interval: Double? { seconds.isNaN ? nil : seconds }

  /// How long it waits the first time, in seconds, if that is something else.
  var leadTime: Double? { secondsBefore.isNaN ? nil : secondsBefore }
}

/// What was noted of a node that keeps no values for its scheduler. It is there for as long as the chain.
final class NotedSchedule: Sendable {
  private let node: UInt64
  private let schedule: NodeSchedule
  /// Those of other nodes of the chain.
  private let next = OnceReference<NotedSchedule>()

  init(_ schedule: NodeSchedule, of node: UInt64) {
    self.node = node
    self.schedule = schedule
  }

  /// Adds one to those that a reference leads to.
  static func add(_ new: NotedSchedule, to first: borrowing OnceReference<NotedSchedule>) {
    var last = first.storeIfNil(new)
    while last !== new { last = last.next.storeIfNil(new) }
  }

  /// That of a node among those that a reference leads to.
  static func find(_ node: UInt64, in first: borrowing OnceReference<NotedSchedule>) -> NodeSchedule? {
    var current = first.load()
    while let noted = current, noted.node != node { current = noted.next.load() }
    return current?.schedule
  }
}

extension NodeReference {
  /// Notes on what the work of a node runs that keeps no values for its scheduler. Once.
  package func note(_ schedule: NodeSchedule) {
    record.note(NotedSchedule(schedule, of: identifier))
  }
}

/// Names for what runs work: those of one name are told apart by numbers.
struct SchedulerNames {
  private var known: [Int: String] = [:]
  private var counts: [String: Int] = [:]

  mutating func name(_ scheduler: RecordedScheduler) -> String {
    if let name = known[scheduler.identity] { return name }
    let plain = scheduler.name
    let count = counts[plain, default: 0] + 1
    counts[plain] = count
    let name = count == 1 ? plain : "\(plain) #\(count)"
    known[scheduler.identity] = name
    return name
  }
}
