import SignalGraph

/// The path of one cause to a node: from the first send, through the sends of handlers, to the node.
///
/// It is known only while causes are tracked, which `signal-viz why` turns on, and only for the last few causes of each
/// node. See `SignalGraph`'s `Cause`.
package struct CauseTrail: Codable, Hashable, Sendable {
  /// A node that the cause reached.
  package struct Hop: Codable, Hashable, Sendable {
    /// The node's `id` in the snapshot.
    package var node: UInt64
    /// Its title, such as "`map`".
    package var title: String
    /// Its source location; `nil` if the snapshot has none.
    package var place: Place?
    /// The number of the cause.
    package var cause: UInt64
    /// When the cause reached it, in seconds since 1 January 1970 UTC.
    package var at: Double
    /// The thread on which it arrived.
    package var thread: String
    /// The time since the previous step, in seconds.
    package var waited: Double
    /// What sent the cause, such as "sent by the handler", if it began here.
    package var beginning: String?
  }

  /// The number of the cause.
  package var number: UInt64
  /// The time from its arrival at the node to the snapshot, in seconds.
  package var age: Double
  /// The thread on which it arrived.
  package var thread: String
  /// One sentence: when and where it arrived, what sent it, and where it waited.
  package var words: String
  /// The nodes that it reached, from its beginning to the explained node.
  package var hops: [Hop]
  /// Whether the beginning is known. It is not if it was too long ago, or if the path is not tracked.
  package var isComplete: Bool
}

extension CauseTrail {
  /// The last causes that reached a node, the latest first.
  static func latest(of node: Node, in graph: GraphView, limit: Int = 3) -> [CauseTrail] {
    (node.causes ?? []).suffix(limit).reversed().map { CauseTrail(of: $0, at: node, in: graph) }
  }

  /// The maximum number of steps to follow.
  private static let largestLength = 100
  /// The maximum distance upstream to the next node that recorded a cause.
  private static let largestGap = 50

  private init(of cause: Cause, at node: Node, in graph: GraphView) {
    var way = [(node: node, cause: cause)]
    var isComplete = false
    while let last = way.last, way.count < Self.largestLength {
      if last.cause.origin != nil, last.cause.parent == nil {
        isComplete = last.cause.origin != .unknown
        break
      }
      guard let next = Self.before(last.cause, at: last.node, in: graph),
        !way.contains(where: { $0.node.id == next.node.id && $0.cause.number == next.cause.number })
      else { break }
      way.append(next)
    }
    way.reverse()
    hops = way.enumerated().map { index, step in
      Hop(
        node: step.node.id, title: graph.title(of: step.node),
        place: graph.definition(of: step.node).map { Place($0) }, cause: step.cause.number, at: step.cause.at,
        thread: step.cause.thread, waited: index > 0 ? max(0, step.cause.at - way[index - 1].cause.at) : 0,
        beginning: Self.beginning(of: step.cause, at: step.node, in: graph))
    }
    number = cause.number
    age = max(0, graph.snapshot.takenAt - cause.at)
    thread = cause.thread
    self.isComplete = isComplete
    words = ""
    words = sentence(in: graph)
  }

  /// The step before a cause reached a node; if the cause began there, the step of its parent.
  private static func before(
    _ cause: Cause, at node: Node, in graph: GraphView
  ) -> (node: Node, cause: Cause)? {
    guard cause.origin != nil else {
      if let found = above(node, knowing: cause.number, until: cause.at, in: graph) { return found }
      // The sender has sent more since, and no longer stores the cause.
      guard let start = cause.start, start.node != node.id, let source = graph.nodes[start.node] else { return nil }
      return (
        source,
        Cause(
          number: cause.number, at: start.at, thread: start.thread, origin: start.origin, by: start.by,
          parent: start.parent)
      )
    }
    guard let parent = cause.parent else { return nil }
    if let author = cause.by.flatMap({ graph.nodes[$0] }) {
      if let known = author.latest(parent, until: cause.at) { return (author, known) }
      if let found = above(author, knowing: parent, until: cause.at, in: graph) { return found }
    }
    // The sender is unknown: the last node with the parent cause is taken.
    let all = graph.snapshot.nodes.compactMap { node in node.latest(parent, until: cause.at).map { (node, $0) } }
    return all.max { $0.1.at < $1.1.at }
  }

  /// The nearest node upstream that recorded a cause.
  private static func above(
    _ node: Node, knowing number: UInt64, until moment: Double, in graph: GraphView
  ) -> (node: Node, cause: Cause)? {
    var level = [node]
    var seen: Set<UInt64> = [node.id]
    for _ in 0..<largestGap where !level.isEmpty {
      let inputs = level.flatMap { graph.inputs[$0.id] ?? [] }.map(\.source).filter { seen.insert($0).inserted }
      level = inputs.compactMap { graph.nodes[$0] }
      let found = level.compactMap { node in node.latest(number, until: moment).map { (node, $0) } }
      if let last = found.max(by: { $0.1.at < $1.1.at }) { return last }
    }
    return nil
  }

  /// A description of what sent a cause that began at a node.
  private static func beginning(of cause: Cause, at node: Node, in graph: GraphView) -> String? {
    guard let origin = cause.origin else { return nil }
    let author = cause.by.flatMap { graph.nodes[$0] }
    let place = author.map { Explanation.place(of: $0, in: graph) } ?? ""
    let name = author.map { graph.title(of: $0) + place } ?? ""
    return switch origin {
    case .program: "sent by the program"
    case .handler: author == nil ? "sent by a handler" : "sent by the handler" + place
    case .closure: author == nil ? "sent by a closure" : "sent by a closure above \(name)"
    case .timer where author == nil: "sent by work of a scheduler"
    case .timer: author?.id == node.id ? "sent by its timer" : "sent by work of \(name)"
    case .task: author?.id == node.id ? "sent by its task" : "sent by a task of \(name)"
    case .subscription: "given to a new subscription"
    case .unknown: "sent by an unknown sender"
    }
  }

  /// Describes when and where it arrived, what sent it, and where it waited.
  private func sentence(in graph: GraphView) -> String {
    let start = "\(Seconds(age).words) ago on \(thread), by cause \(number)"
    func name(_ hop: Hop) -> String { hop.title + (hop.place.map { " at \(graph.words(of: $0))" } ?? "") }
    let own = hops.firstIndex { $0.cause == number } ?? 0
    var parts: [String] = []
    for (index, hop) in hops.enumerated() where index >= own {
      if let beginning = hop.beginning {
        parts.append("\(name(hop)), \(beginning)")
      } else if index == 0 {
        parts.append("seen first at \(name(hop))")
      } else if hop.waited >= Self.notable || hop.thread != hops[index - 1].thread {
        let time = hop.waited < Self.notable ? [] : [Seconds(hop.waited).words]
        let thread = hop.thread == hops[index - 1].thread ? [] : ["on to \(hop.thread)"]
        parts.append("through \(name(hop)) (\((time + thread).joined(separator: ", ")))")
      }
    }
    if own > 0, let first = hops.first, let beginning = first.beginning {
      parts.append("which originates at \(name(first)), \(beginning)")
    }
    return parts.isEmpty ? start : start + ": " + parts.joined(separator: "; ")
  }

  /// The shortest wait that is reported, in seconds.
  private static let notable = 0.001
}

extension Node {
  /// The last arrival of a cause before a moment, or the first one after it if there is none before.
  fileprivate func latest(_ number: UInt64, until moment: Double) -> Cause? {
    let all = (causes ?? []).filter { $0.number == number }
    return all.last { $0.at <= moment } ?? all.first
  }
}

extension Place {
  /// The file name without directories, and the line, such as `Feed.swift:42`.
  package var shortWords: String { "\(fileID.split(separator: "/").last.map(String.init) ?? fileID):\(line)" }
}

/// Formats a time for readers.
package struct Seconds: Sendable {
  private let seconds: Double

  /// Creates it from a number of seconds.
  ///
  /// - Parameter seconds: A number of seconds; a negative one counts as zero.
  package init(_ seconds: Double) { self.seconds = max(0, seconds.isFinite ? seconds : 0) }

  /// Such as "0.4 ms", "14 ms", "2.5 s" or "12 min".
  package var words: String {
    switch seconds {
    case ..<0.009_5: "\(Self.tenths(seconds * 1_000)) ms"
    case ..<0.999_5: "\(Int((seconds * 1_000).rounded())) ms"
    case ..<9.95: "\(Self.tenths(seconds)) s"
    case ..<599.5: "\(Int(seconds.rounded())) s"
    case ..<35_970: "\(Int((seconds / 60).rounded())) min"
    case ..<1e9: "\(Int((seconds / 3_600).rounded())) h"
    default: "years"
    }
  }

  private static func tenths(_ number: Double) -> String {
    let tenths = Int((number * 10).rounded())
    return tenths.isMultiple(of: 10) ? "\(tenths / 10)" : "\(tenths / 10).\(tenths % 10)"
  }
}
