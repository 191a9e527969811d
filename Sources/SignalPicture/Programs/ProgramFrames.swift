import SignalGraph

/// The programs in a drawing of several: a cluster for the boxes of each, and the arrangement of the clusters.
package struct ProgramFrames: Hashable, Sendable {
  /// The cluster of one program.
  struct Frame: Hashable, Sendable {
    var process: ProcessIdentity
    /// The id in SVG, unique among the programs of the drawing.
    var id: String
    /// The number of drawn nodes.
    var nodeCount: Int
    /// The number of nodes in the graph.
    var nodes: NodeCounts
    var boxCount: Int
    /// The steps that reduced it.
    var notes: [String]

    /// The counts, such as "pid 4242 · 20 nodes in 12 boxes (drawn by file)".
    var counts: String { notes.isEmpty ? shortCounts : shortCounts + " (\(notes.joined(separator: ", ")))" }

    /// The counts in the heading of the cluster, without the notes if there are few boxes: they would widen it.
    var headingCounts: String { boxCount > 3 ? counts : shortCounts }

    private var shortCounts: String {
      "pid \(process.pid) · \(nodes.words(drawn: nodeCount, boxes: boxCount))"
    }
  }

  /// A constraint that one box comes after another one.
  struct Guide: Hashable, Sendable {
    var source: UInt64
    var target: UInt64
  }

  /// The clusters in the order of the given programs.
  var frames: [Frame]
  /// The number of channels that join boxes.
  package internal(set) var joinedChannels = 0
  /// The direction in which values travel.
  var direction = DrawingOptions.Direction.down
  /// The constraints on the order of boxes.
  var guides: [Guide] = []
  /// The links that do not affect the order.
  var loose: Set<GraphPicture.Link> = []
}

/// The program and the identity of a box in a drawing of several programs.
struct ProgramPlace: Hashable, Sendable {
  /// The number of its program; nil for a channel.
  var program: Int?
  /// The smallest id of its nodes in its program, or the number of the channel.
  var node: UInt64
  /// The id in SVG of its program's cluster.
  var frame = "channel"
  /// The channel ends without another end.
  var unjoined: Set<ChannelEnd> = []

  /// The box's id in SVG.
  var elementID: String { program == nil ? "\(frame)\(node)" : "\(frame)n\(node)" }
}

/// A channel that is drawn as a link.
struct PictureChannel: Hashable, Sendable {
  var name: String
  /// Its number among all of them.
  var number: Int
}

extension GraphPicture.Box {
  /// Whether it represents a channel with several senders and several receivers.
  var isChannel: Bool { place.map { $0.program == nil } ?? false }

  /// Creates a box for a channel.
  init(_ channel: PictureChannel, id: UInt64) {
    let name = channel.name
    let definition = Definition(id: 0, kind: "channel", fileID: "", line: 0, function: "")
    self.id = id
    parts = [
      GraphPicture.Part(
        kind: "channel", name: nil, site: "", valueCount: 0, details: ["channel “\(name.displayable(limit: 60))”"],
        definition: definition)
    ]
    copies = 1
    heading = name
    nodeCount = 0
    state = .live
    findings = []
    fileID = ""
    place = ProgramPlace(program: nil, node: UInt64(channel.number))
  }
}

extension ProgramFrames {
  /// How much there is to see, and the hints of the options where something was left out.
  ///
  /// For example "40 nodes in 30 boxes · 2 channels join them (--all shows each)".
  func counts(of picture: GraphPicture, _ options: DrawingOptions) -> String {
    let nodes = frames.reduce(NodeCounts()) { $0 + $1.nodes }
    var counts = nodes.words(drawn: picture.nodeCount, boxes: frames.reduce(0) { $0 + $1.boxCount })
    if joinedChannels > 0 { counts += " · \(joinedChannels.grouped) channel\(joinedChannels == 1 ? "" : "s")" }
    let notes = frames.flatMap(\.notes)
    let ended = notes.filter { $0.hasSuffix(GraphPicture.endedNote) }
    let hints = [
      ended.count < notes.count ? options.detailHint : nil,
      ended.isEmpty ? nil : options.endedHint.map { "\(GraphPicture.endedNote): \($0)" },
    ].compactMap { $0 }
    return hints.isEmpty ? counts : counts + " (\(hints.joined(separator: ", ")))"
  }
}

extension GraphPicture {
  /// The line styles that occur, each once.
  var strokes: [PictureStyle.Stroke] {
    let kinds = Edge.Kind.allCases.filter { kind in links.contains { $0.kind == kind && $0.channel == nil } }
    return kinds.map(PictureStyle.stroke) + (links.contains { $0.channel != nil } ? [PictureStyle.channel] : [])
  }

  /// Whether a box represents a channel.
  func isChannel(_ box: UInt64) -> Bool {
    guard let programs else { return false }
    // The boxes of channels come after all others.
    return box > UInt64(programs.frames.reduce(0) { $0 + $1.boxCount })
  }

  /// The name of a channel on Mermaid's arrow; in quotation marks, so that brackets are not syntax.
  func mermaidWords(_ channel: PictureChannel) -> String {
    "\"channel “\(MermaidText.words(channel.name, limit: 40))”\""
  }
}

extension GraphPicture.Link {
  /// The meaning, such as "trigger" or "channel “orders”".
  var meaning: String {
    channel.map { "channel “\($0.name.displayable(limit: 60))”" } ?? PictureStyle.stroke(kind).meaning
  }

  /// The name of the kind in SVG.
  var kindName: String { channel == nil ? kind.rawValue : "channel" }
}
