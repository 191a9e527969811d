public import SignalGraph
public import Synchronization

/// Shows a step of any pipeline in the live graph: a stage of a loop, a connection, a service, whatever values pass.
///
/// The step is a node in the picture, beside those of signals: with its kind, its name, its place in the code and its owner. What the graph offers
/// is there for it too: counts and rates, ends and failures, `signal-viz top` and `check`, leak checks in tests.
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
/// It may be used from any thread. While the graph is off when it is made, it does nothing, and each call costs a look at a constant; while it is on, to
/// count a value costs one atomic addition. Neither takes a lock, nor memory.
///
/// A step ends once: with ``finish()``, ``fail(_:)`` or ``cancel()``; what is told later is not noted. If it has not ended when the last copy of the reporter
/// goes, it is told as cancelled. The graph does not keep it alive.
public struct GraphReporter: Sendable {
  @usableFromInline let life: ReportedLife?

  /// Begins to report a step, if the graph is on.
  ///
  /// It belongs to the owner; without one, to the ``GraphScope`` around this.
  ///
  /// - Parameters:
  ///   - kind: What the step does, such as `parse`. Rules of `signal-viz check` that know an operator by its kind do not look at steps that are reported.
  ///   - name: What this one is called. It is not evaluated while the graph is off.
  ///   - owner: The object that the step belongs to. It is not kept alive.
  ///   - fileID: The file in which the step is written.
  ///   - line: The line in which the step is written.
  ///   - function: The function in which the step is written.
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

  /// Whether the step is in the graph. Else whatever it is told has no effect.
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
  /// - Parameter count: How many. Negative counts as 0.
  @inlinable
  public func countValues(_ count: Int) {
    life?.node.values.wrappingAdd(UInt64(Self.plausible(count)), ordering: .relaxed)
  }

  /// Notes that values begin to wait in the step, as in a queue.
  ///
  /// - Parameter count: How many. Negative counts as 0.
  @inlinable
  public func beginWaiting(_ count: Int = 1) {
    life?.node.waiting.wrappingAdd(Self.plausible(count), ordering: .relaxed)
  }

  /// Notes that values do not wait any more: they have passed, which is counted with ``countValue()``, or were dropped.
  ///
  /// - Parameter count: How many. Negative counts as 0.
  @inlinable
  public func endWaiting(_ count: Int = 1) {
    life?.node.waiting.wrappingSubtract(Self.plausible(count), ordering: .relaxed)
  }

  /// Counts values that do not pass.
  ///
  /// - Parameter count: How many. Negative counts as 0.
  @inlinable
  public func countDropped(_ count: Int = 1) {
    life?.node.dropped.wrappingAdd(UInt64(Self.plausible(count)), ordering: .relaxed)
  }

  /// Notes that the step is asked for a value, if it gives values only then. The graph tells for how long it has been.
  public func beginAsked() { life?.node.note(isAsked: true) }

  /// Notes that the step is not asked for a value any more: who asked has got one, and is busy with it.
  public func endAsked() { life?.node.note(isAsked: false) }

  /// Connects the step to one that its values go to. To do so again has no effect.
  ///
  /// - Parameters:
  ///   - other: The step that the values go to.
  ///   - kind: What the connection carries.
  public func deliver(to other: GraphReporter, as kind: Edge.Kind = .data) {
    guard let node = life?.node, let other = other.life?.node else { return }
    ReportedNode.connect(node, to: other, kind)
  }

  /// Says that what passes the step goes out to a channel between programs, or has come in from one. It may be an end of several.
  ///
  /// - Parameter channel: Which channel, and whether values go out or come in.
  public func link(_ channel: ChannelLink) { life?.node.link(channel.end) }

  /// Notes that the step has finished.
  public func finish() { life?.node.end(.finished) }

  /// Notes that the step has failed.
  ///
  /// - Parameter error: Why. What it says of itself is in the graph.
  public func fail(_ error: any Error) { life?.node.end(.failed, error) }

  /// Notes that the step was given up before it ended.
  public func cancel() { life?.node.end(.disposed) }
}

extension GraphReporter {
  /// Counts a value that passes here and now, and writes that down while somebody records.
  package func notePassing() { passing {} }

  /// Counts a value that passes, and hands it on; while somebody records, that and how long it takes is written down.
  package func passing<Result>(_ deliver: () throws -> Result) rethrows -> Result {
    countValue()
    guard let node = life?.node, node.events.isOn else { return try deliver() }
    let began = EventLog.now
    defer {
      // What caused it is not known: other pipelines carry no causes.
      let thread = CauseTracing.thread.words
      node.events.add(GraphEvent(.passed, node: node.identifier, cause: 0, since: began, thread: thread, nil))
    }
    return try deliver()
  }
}

/// Lives as long as somebody may report to a node. With it the node ends.
@usableFromInline
final class ReportedLife: Sendable {
  @usableFromInline let node: ReportedNode

  private init(_ node: ReportedNode) { self.node = node }

  deinit { node.end(.disposed) }

  /// - Returns: Nil where nothing is recorded.
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
  /// The same, as that of a step of another pipeline.
  fileprivate var reported: Site { Site(self, marks: Self.reportMark) }
}
