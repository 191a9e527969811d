public import SignalGraph
public import Synchronization

/// Shows a step of any pipeline in the live graph: a stage of a loop, a connection, a service, for values of any kind.
///
/// The step is a node in the drawing, next to those of signals: with its kind, its name, its source location and its
/// owner. The graph's features apply to it too: counts and rates, ends and failures, `signal-viz top` and `check`, leak
/// checks in tests.
///
/// ```swift
/// import SignalGraph
/// import SignalRecording
///
/// struct Importer: ~Copyable {
///   let lines = GraphReporter("read", named: "orders.csv")
///   let orders = GraphReporter("parse", named: "orders")
///
///   init() { lines.deliver(to: orders) }
///
///   func take(_ line: String) {
///     lines.countValue()
///     if let number = Int(line) {
///       print("order \(number)")
///       orders.countValue()
///     } else {
///       orders.countDropped()
///     }
///   }
///
///   func close() {
///     lines.finish()
///     orders.finish()
///   }
/// }
///
/// Introspection.enable()
/// let importer = Importer()
/// for line in ["1", "two", "3"] { importer.take(line) }
/// importer.close()
/// ```
///
/// It is thread-safe. If the graph is off when it is created, it does nothing, and each call costs the check of a
/// constant; while it is on, counting a value costs one atomic addition. Neither takes a lock, nor memory.
///
/// A step ends once: with ``finish()``, ``fail(_:)`` or ``cancel()``; later calls are ignored. If it has not ended when
/// the last copy of the reporter is released, it is reported as cancelled. The graph does not keep it alive.
public struct GraphReporter: Sendable {
  @usableFromInline let life: ReportedLife?

  /// Begins to report a step, if the graph is on.
  ///
  /// It belongs to the owner; without one, to the enclosing ``GraphScope``.
  ///
  /// - Parameters:
  ///   - kind: The kind of the step, such as `parse`. Rules of `signal-viz check` for operators of a kind do not apply
  ///     to reported steps.
  ///   - name: The name of the step. It is not evaluated while the graph is off.
  ///   - owner: The object that the step belongs to. It is not retained.
  ///   - fileID: The file of the step.
  ///   - line: The line of the step.
  ///   - function: The function of the step.
  @inlinable
  public init(
    _ kind: StaticString, named name: @autoclosure () -> String? = nil, owner: AnyObject? = nil,
    fileID: StaticString = #fileID, line: UInt = #line, function: StaticString = #function
  ) {
    self.init(kind, name(), owner, fileID, line, function, if: Introspection.isOn)
  }

  @inlinable
  init(
    _ kind: StaticString, _ name: @autoclosure () -> String?, _ owner: AnyObject?, _ fileID: StaticString,
    _ line: UInt, _ function: StaticString, if isOn: Bool
  ) {
    life =
      isOn
      ? ReportedLife.begin(Site(kind, fileID: fileID, line: line, function: function), name: name(), owner: owner) : nil
  }

  /// A count with which sums do not overflow.
  @inlinable
  static func plausible(_ count: Int) -> Int { min(max(0, count), 1 << 31 - 1) }

  /// Whether the step is in the graph. If not, calls have no effect.
  @inlinable
  public var isRecorded: Bool { life != nil }

  /// The `id` of the step's node in snapshots, if it is in the graph.
  public var nodeID: UInt64? { life?.node.identifier }

  /// Counts a value that passes.
  @inlinable
  public func countValue() {
    life?.node.values.wrappingAdd(1, ordering: .relaxed)
  }

  /// Counts values that pass together.
  ///
  /// - Parameter count: The number of values. Negative counts as 0.
  @inlinable
  public func countValues(_ count: Int) {
    life?.node.values.wrappingAdd(UInt64(Self.plausible(count)), ordering: .relaxed)
  }

  /// Notes that values begin to wait in the step, as in a queue.
  ///
  /// - Parameter count: The number of values. Negative counts as 0.
  @inlinable
  public func beginWaiting(_ count: Int = 1) {
    life?.node.waiting.wrappingAdd(Self.plausible(count), ordering: .relaxed)
  }

  /// Notes that values no longer wait: they have passed, which is counted with ``countValue()``, or were dropped.
  ///
  /// - Parameter count: The number of values. Negative counts as 0.
  @inlinable
  public func endWaiting(_ count: Int = 1) {
    life?.node.waiting.wrappingSubtract(Self.plausible(count), ordering: .relaxed)
  }

  /// Counts values that do not pass.
  ///
  /// - Parameter count: The number of values. Negative counts as 0.
  @inlinable
  public func countDropped(_ count: Int = 1) {
    life?.node.dropped.wrappingAdd(UInt64(Self.plausible(count)), ordering: .relaxed)
  }

  /// Notes that a value is requested from the step, if it delivers values only on request. The graph shows for how
  /// long.
  public func beginAsked() { life?.node.note(isAsked: true) }

  /// Notes that no value is requested from the step any more: the consumer has got one, and is busy with it.
  public func endAsked() { life?.node.note(isAsked: false) }

  /// Connects the step to a step downstream. Repeating it has no effect.
  ///
  /// - Parameters:
  ///   - other: The downstream step.
  ///   - kind: The kind of the connection.
  public func deliver(to other: GraphReporter, as kind: Edge.Kind = .data) {
    guard let node = life?.node, let other = other.life?.node else { return }
    ReportedNode.connect(node, to: other, kind)
  }

  /// Declares the step as an end of a channel between programs. It may be an end of several.
  ///
  /// - Parameter channel: The channel, and the direction of the values.
  public func link(_ channel: ChannelLink) { life?.node.link(channel.end) }

  /// Notes that the step has finished.
  public func finish() { life?.node.end(.finished) }

  /// Notes that the step has failed.
  ///
  /// - Parameter error: The error. Its description is in the graph.
  public func fail(_ error: any Error) { life?.node.end(.failed, error) }

  /// Notes that the step was cancelled before it ended.
  public func cancel() { life?.node.end(.disposed) }
}

extension GraphReporter {
  /// Counts a value that passes here and now, and stores an event during a recording.
  package func notePassing() { passing {} }

  /// Counts a value and delivers it; during a recording, stores an event with its duration.
  package func passing<Result>(_ deliver: () throws -> Result) rethrows -> Result {
    countValue()
    guard let node = life?.node, node.events.isOn else { return try deliver() }
    let began = EventLog.now
    defer {
      // Its cause is not known: other pipelines carry no causes.
      let thread = CauseTracing.thread.words
      node.events.add(GraphEvent(.passed, node: node.identifier, cause: 0, since: began, thread: thread, nil))
    }
    return try deliver()
  }
}

/// The lifetime of a reported node: it ends when the last reporter is released.
@usableFromInline
final class ReportedLife: Sendable {
  @usableFromInline let node: ReportedNode

  private init(_ node: ReportedNode) { self.node = node }

  deinit { node.end(.disposed) }

  /// - Returns: Nil if nothing is recorded.
  @usableFromInline
  @inline(never)
  static func begin(_ site: Site, name: String?, owner: AnyObject?) -> ReportedLife? {
    guard let recorder = GraphRecorder.current else { return nil }
    let owner = owner.map { NodeOwner($0) } ?? GraphScope.innermost.map(NodeOwner.scope)
    let node = ReportedNode(site.reported, name: name, owner, recorder)
    recorder.begin(node)
    return ReportedLife(node)
  }
}

extension Site {
  /// The same site, as a step of another pipeline.
  fileprivate var reported: Site { Site(self, marks: Self.reportMark) }
}
