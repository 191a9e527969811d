/// A started task, for leak checks.
package struct RunningTask: Sendable {
  /// Whether it continues only while virtual time is advanced.
  package let isVirtual: Bool
  /// Whether it has ended, if only the runtime knows that.
  package let isOver: (@Sendable () -> Bool)?
  /// Whether its virtual time has work to do right now, so that the task may be about to end.
  package let mayGoOn: (@Sendable () -> Bool)?
  /// Whether a closure of the test started it, or another such task.
  package let isOfTest: Bool
  /// Looks up the file and line where it was started, if its start was recorded without them; nil if unknown. That may
  /// take half a second.
  package let startedAt: (@Sendable () -> String?)?

  package init(
    isVirtual: Bool, isOver: (@Sendable () -> Bool)? = nil, mayGoOn: (@Sendable () -> Bool)? = nil,
    isOfTest: Bool = false, startedAt: (@Sendable () -> String?)? = nil
  ) {
    self.startedAt = startedAt
    self.isVirtual = isVirtual
    self.isOfTest = isOfTest
    self.isOver = isOver
    self.mayGoOn = mayGoOn
  }
}

/// The running task: its requests, and those without another author, are attributed to it.
package struct TaskAuthor: Sendable {
  /// The location of the task's start.
  package let site: Site
  /// The task's entry in a recorder's list of pending work, if it has one.
  package let entry: UInt64?

  /// The cause of an operator's task, while causes are tracked.
  let frame: CauseFrame?

  @TaskLocal static var current: TaskAuthor?
  /// Whether a task is being started that has an entry already.
  @TaskLocal private static var isStarting = false

  /// - Parameter node: The node of the operator that starts it, if one does.
  package init(site: Site, entry: UInt64?, of node: NodeReference? = nil) {
    self.site = site
    self.entry = entry
    frame = node.flatMap { node in
      guard CauseTracing.isOn else { return nil }
      let cause = CarriedCause(to: node)
      return CauseFrame(place: .task(of: node.identifier), number: cause.number, under: cause.under)
    }
  }

  private init(_ other: TaskAuthor, _ frame: CauseFrame?) {
    site = other.site
    entry = other.entry
    self.frame = frame
  }

  /// The same, attributed to another cause.
  func with(_ frame: CauseFrame?) -> TaskAuthor { TaskAuthor(self, frame) }

  /// Whether the starting code notes the task that is being started here and now.
  package static var isNoted: Bool { isStarting }

  /// Starts a task that is noted.
  package static func starting<Started>(_ start: () -> Started) -> Started {
    $isStarting.withValue(true, operation: start)
  }

  /// Runs a task's operation.
  package func run<Success>(
    isolation: isolated (any Actor)? = #isolation, _ operation: () async throws -> Success
  ) async rethrows -> Success {
    try await Self.$current.withValue(self) {
      // A task inherits the task-local values of its creator.
      try await Self.$isStarting.withValue(false, operation: operation)
    }
  }
}
