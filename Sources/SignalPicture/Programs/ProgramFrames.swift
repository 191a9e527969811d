import SignalGraph

/// The programs of a picture of several: a frame around the boxes of each, and how the frames stand.
package struct ProgramFrames: Hashable, Sendable {
  /// What is in the frame of one program.
  struct Frame: Hashable, Sendable {
    var process: ProcessIdentity
    /// The id in SVG, which no other program of the picture has.
    var id: String
    /// How many nodes are drawn.
    var nodeCount: Int
    /// How many nodes the graph has.
    var nodes: NodeCounts
    var boxCount: Int
    /// What was done to show less of it.
    var notes: [String]

    /// Such as "pid 4242 · 20 nodes in 12 boxes (drawn by file)".
    var counts: String { notes.isEmpty ? shortCounts : shortCounts + " (\(notes.joined(separator: ", ")))" }

    /// What stands in the heading of the frame: what was done would make one with few boxes wide.
    var headingCounts: String { boxCount > 3 ? counts : shortCounts }

    private var shortCounts: String {
      "pid \(process.pid) · \(nodes.words(drawn: nodeCount, boxes: boxCount))"
    }
  }

  /// Says that one box stands further along than another one.
  struct Guide: Hashable, Sendable {
    var source: UInt64
    var target: UInt64
  }

  /// In the order in which the programs were given.
  var frames: [Frame]
  /// How many channels join boxes.
  package internal(set) var joinedChannels = 0
  /// In which direction values travel.
  var direction = DrawingOptions.Direction.down
  /// What stands below what, or to the right of it.
  var guides: [Guide] = []
  /// The links that do not tell what stands below what.
  var loose: Set<GraphPicture.Link> = []
}

/// Where a box of a picture of several programs belongs.
struct ProgramPlace: Hashable, Sendable {
  /// The number of its program; nil for a channel.
  var program: Int?
  /// The smallest id that one of its nodes has in its program, or the number of the channel.
  var node: UInt64
  /// The id in SVG of its program's frame.
  var frame = "channel"
  /// The ends of channels that it is, and whose other end nobody is.
  var unjoined: Set<ChannelEnd> = []
  /// Whether that may be a program which has not answered.
  var hasSilent = false

  /// The box's id in SVG.
  var elementID: String { program == nil ? "\(frame)\(node)" : "\(frame)n\(node)" }
}

/// A channel that is drawn as a link.
struct PictureChannel: Hashable, Sendable {
  var name: String
  /// Its number among all that are.
  var number: Int
}

extension GraphPicture.Box {
  /// Whether it stands for a channel, which several send to and several receive from.
  var isChannel: Bool { place.map { $0.program == nil } ?? false }

  /// A box for a channel.
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
  /// How much there is to see, and the options that show what was left out.
  ///
  /// Such as "40 nodes in 30 boxes · 2 channels join them (--all shows each)".
  func counts(of picture: GraphPicture, _ options: DrawingOptions) -> String {
    let nodes = frames.reduce(NodeCounts()) { $0 + $1.nodes }
    var counts = nodes.words(drawn: picture.nodeCount, boxes: frames.reduce(0) { $0 + $1.boxCount })
    if joinedChannels > 0 { counts += " · \(joinedChannels.grouped) channel\(joinedChannels == 1 ? "" : "s")" }
    guard options.namesOptions else { return counts }
    let notes = frames.flatMap(\.notes)
    let ended = notes.filter { $0.hasSuffix(GraphPicture.endedNote) }
    let canShowAll = options.boxLimit != nil || options.bundlesFrom != nil
    var hints: [String] = []
    if canShowAll, ended.count < notes.count { hints.append("--all shows each") }
    if !ended.isEmpty { hints.append("--ended shows what has ended") }
    return hints.isEmpty ? counts : counts + " (\(hints.joined(separator: ", ")))"
  }
}

extension GraphPicture {
  /// The lines that occur, each once.
  var strokes: [PictureStyle.Stroke] {
    let kinds = Edge.Kind.allCases.filter { kind in links.contains { $0.kind == kind && $0.channel == nil } }
    return kinds.map(PictureStyle.stroke) + (links.contains { $0.channel != nil } ? [PictureStyle.channel] : [])
  }

  /// Whether a box stands for a channel.
  func isChannel(_ box: UInt64) -> Bool {
    guard let programs else { return false }
    // The boxes of channels come after all others.
    return box > UInt64(programs.frames.reduce(0) { $0 + $1.boxCount })
  }

  /// The name of a channel on Mermaid's arrow; in quotation marks, so that brackets in it mean nothing.
  func mermaidWords(_ channel: PictureChannel) -> String {
    "\"channel “\(MermaidText.words(channel.name, limit: 40))”\""
  }
}

extension GraphPicture.Link {
  /// What it means, such as "trigger" or "channel “orders”".
  var meaning: String {
    channel.map { "channel “\($0.name.displayable(limit: 60))”" } ?? PictureStyle.stroke(kind).meaning
  }

  /// What it is called in SVG.
  var kindName: String { channel == nil ? kind.rawValue : "channel" }
}
