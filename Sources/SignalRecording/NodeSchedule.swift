/// A scheduler as shown in the graph. Its name is created on demand.
package struct RecordedScheduler: Sendable {
  /// The origin of the name.
  package enum Name: Sendable {
    case text(StaticString)
    case type(any Any.Type)
    /// From an object, which is retained as long as the chain is shown.
    case told(by: any AnyObject & Sendable, @Sendable (AnyObject) -> String)
  }

  private let source: Name
  /// Identifies the queue of the scheduler, as long as that lives.
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

/// The scheduler of a node's work, and the node's delays.
package struct NodeSchedule: Sendable {
  let scheduler: RecordedScheduler
  /// In seconds; NaN if there is none. An optional would take more memory.
  private let seconds: Double
  private let secondsBefore: Double

  /// - Parameters:
  ///   - interval: The node's repeated delay.
  ///   - leadTime: The first delay, if it differs.
  package init(on scheduler: RecordedScheduler, interval: Duration?, leadTime: Duration?) {
    self.scheduler = scheduler
    seconds = interval.map { $0 / .seconds(1) } ?? .nan
    secondsBefore = leadTime.map { $0 / .seconds(1) } ?? .nan
  }

  /// The node's repeated delay, in seconds.
  var interval: Double? { seconds.isNaN ? nil : seconds }

  /// The first delay, in seconds, if it differs.
  var leadTime: Double? { secondsBefore.isNaN ? nil : secondsBefore }
}

/// The schedule of a node without a queue for its scheduler. It lives as long as the chain.
final class NotedSchedule: Sendable {
  private let node: UInt64
  private let schedule: NodeSchedule
  /// The schedules of other nodes of the chain.
  private let next = OnceReference<NotedSchedule>()

  init(_ schedule: NodeSchedule, of node: UInt64) {
    self.node = node
    self.schedule = schedule
  }

  /// Adds one to a linked list.
  static func add(_ new: NotedSchedule, to first: borrowing OnceReference<NotedSchedule>) {
    var last = first.storeIfNil(new)
    while last !== new { last = last.next.storeIfNil(new) }
  }

  /// Finds that of a node in a linked list.
  static func find(_ node: UInt64, in first: borrowing OnceReference<NotedSchedule>) -> NodeSchedule? {
    var current = first.load()
    while let noted = current, noted.node != node { current = noted.next.load() }
    return current?.schedule
  }
}

extension NodeReference {
  /// Stores the scheduler of a node without a queue for it. Once.
  package func note(_ schedule: NodeSchedule) {
    record.note(NotedSchedule(schedule, of: identifier))
  }
}

/// Names for schedulers: equal names are distinguished by numbers.
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
