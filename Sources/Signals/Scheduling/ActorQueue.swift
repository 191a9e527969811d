import Dispatch

/// Runs the work of one hop on an actor, while that lives.
///
/// Each piece of work is a task. Two tasks for an actor may change places; a hop asks for the next one only when the one before has begun, and
/// keeps the order itself.
struct ActorQueue: Scheduler {
  private final class Target: Sendable {
    weak let actor: (any Actor)?

    init(_ actor: any Actor) { self.actor = actor }
  }

  private let target: Target

  init(_ actor: any Actor) { target = Target(actor) }

  var now: SchedulerInstant { .uptime }

  func schedule(_ work: @escaping @Sendable () -> Void) {
    // Nothing is on the actor any more: what is below finds it gone, and ends.
    guard let actor = target.actor else { return work() }
    // Detached: what belongs to the sender's task does not belong to the handler.
    Task.detached { await Self.run(work, on: actor) }
  }

  func schedule(
    after delay: Duration, tolerance: Duration?, _ work: @escaping @Sendable () -> Void
  ) -> any Disposable {
    DispatchQueue.global().run(after: delay, tolerance: tolerance, recorder: .current) { schedule(work) }
  }

  private static func run(_ work: @Sendable () -> Void, on actor: isolated any Actor) { work() }
}
