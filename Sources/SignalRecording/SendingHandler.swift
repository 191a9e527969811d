import Synchronization

/// The handler that a send comes from: it runs on the thread, or it started the task that sends.
struct SendingHandler: Sendable {
  /// The node of the handler's subscriber.
  let node: UInt64
  /// The call of the handler in which the task was started; `nil` if the handler itself runs.
  private let call: HandlerCall?

  /// The handler of the running code, while handlers are profiled.
  static var current: SendingHandler? {
    if let node = HandlerTracing.current { return SendingHandler(node: node, call: nil) }
    guard let call = HandlerCall.current else { return nil }
    return SendingHandler(node: call.node, call: call)
  }

  /// Whether a send to a source or an operator belongs to the handler. From the tasks of one call the first send to
  /// each target counts, within 10 milliseconds: a task that continues to send is a source of its own, and one that
  /// waits is paced.
  func isSending(to target: UInt64) -> Bool { call?.isFirst(to: target) ?? true }
}

/// One call of a profiled handler, for the tasks started in it.
///
/// It is a task-local, which a `Task { }` inherits; detached tasks and blocks in dispatch queues do not.
final class HandlerCall: Sendable {
  let node: UInt64
  private let began = HandlerTracing.nanoseconds
  private let targets = Mutex<Set<UInt64>>([])

  @TaskLocal static var current: HandlerCall?

  private init(of node: UInt64) {
    self.node = node
  }

  /// Calls a node's handler.
  static func run(_ node: UInt64, _ handler: () throws -> Void) rethrows {
    try $current.withValue(HandlerCall(of: node), operation: handler)
  }

  func isFirst(to target: UInt64) -> Bool {
    if HandlerTracing.nanoseconds - began > 10_000_000 { return false }
    // A number that no handler reaches: a task that creates a source for each of its sends stores no more.
    return targets.withLock { $0.count < 64 && $0.insert(target).inserted }
  }
}
