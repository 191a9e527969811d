package import SignalGraph

/// Several programs as one drawing: a cluster for each, and links between the ends of a channel.
package struct ProgramPictures: Hashable, Sendable {
  private var pictures: [GraphPicture]
  /// The channel ends of the nodes of each program.
  private let ends: [[End]]
  private let direction: DrawingOptions.Direction

  /// A node that is an end of a channel.
  struct End: Hashable, Sendable {
    let node: UInt64
    let end: ChannelEnd
  }

  /// Creates a drawing of each program. The limit of boxes is shared among them: small programs leave their share to
  /// large ones.
  ///
  /// - Throws: ``/SignalGraph/GraphSnapshotError`` if a snapshot is inconsistent.
  /// - Complexity: O(*n* log *n*) in nodes and edges.
  package init(of snapshots: [GraphSnapshot], options: DrawingOptions) throws(GraphSnapshotError) {
    var whole = options
    whole.boxLimit = nil
    pictures = []
    for snapshot in snapshots { pictures.append(try GraphPicture(of: snapshot, options: whole)) }
    ends = snapshots.map { snapshot in
      snapshot.nodes.flatMap { node in (node.channels ?? []).map { End(node: node.id, end: $0) } }
    }
    direction = options.direction
    if let limit = options.boxLimit { reduce(to: limit) }
  }

  /// The number of boxes.
  package var boxCount: Int { pictures.reduce(0) { $0 + $1.boxes.count } }

  /// Reduces detail until all programs together have at most `limit` boxes, or one each.
  package mutating func reduce(to limit: Int) {
    var rest = limit
    for (position, index) in pictures.indices.sorted(by: { pictures[$0].boxes.count < pictures[$1].boxes.count })
      .enumerated()
    {
      let share = max(1, rest / (pictures.count - position))
      pictures[index].reduce(to: share)
      rest -= pictures[index].boxes.count
    }
  }

  /// Returns all programs as one drawing of at most `limit` boxes, or one for each program.
  func picture(limit: Int) -> GraphPicture {
    var smaller = self
    smaller.reduce(to: limit)
    return smaller.picture
  }

  /// All programs as one drawing.
  package var picture: GraphPicture {
    let (parts, places) = numbered
    let frames = self.frames
    let channels = Channels(ends: ends, places: places, firstID: UInt64(boxCount) + 1)
    var boxes: [GraphPicture.Box] = []
    for (program, part) in parts.enumerated() {
      for var box in part.boxes {
        box.place?.unjoined = channels.unjoined[box.id] ?? []
        box.place?.program = program
        box.place?.frame = frames[program].id
        boxes.append(box)
      }
    }
    boxes += channels.boxes
    let arrangement = ProgramArrangement.best(of: parts, channels: channels, direction)
    var programs = ProgramFrames(frames: frames)
    programs.joinedChannels = channels.joinedCount
    programs.direction = arrangement.direction
    programs.guides = arrangement.guides
    programs.loose = arrangement.loose
    let count = pictures.count
    return GraphPicture(
      programs,
      process: ProcessIdentity(name: "\(count.grouped) program\(count == 1 ? "" : "s")", pid: 0, startedAt: 0),
      boxes: boxes, links: parts.flatMap(\.links) + channels.links)
  }

  private var frames: [ProgramFrames.Frame] {
    var known: [Int32: Int] = [:]
    return pictures.map { picture in
      // Files may originate from several machines.
      let copy = known[picture.process.pid, default: 0]
      known[picture.process.pid] = copy + 1
      return ProgramFrames.Frame(
        process: picture.process, id: "p\(picture.process.pid)" + (copy > 0 ? "_\(copy + 1)" : ""),
        nodeCount: picture.nodeCount, nodes: picture.counts, boxCount: picture.boxes.count, notes: picture.notes)
    }
  }

  /// The same drawings with unique box ids, and the new ids of the boxes of channel ends.
  private var numbered: (parts: [GraphPicture], places: [[UInt64: UInt64]]) {
    var next: UInt64 = 0
    var parts: [GraphPicture] = []
    var places: [[UInt64: UInt64]] = []
    for (picture, ends) in zip(pictures, ends) {
      var numbers: [UInt64: UInt64] = [:]
      let boxes = picture.boxes.map { box in
        next += 1
        numbers[box.id] = next
        var box = box
        box.place = ProgramPlace(program: nil, node: box.id)
        box.id = next
        return box
      }
      let links = picture.links.map { link in
        var link = link
        link.source = numbers[link.source] ?? 0
        link.target = numbers[link.target] ?? 0
        return link
      }
      parts.append(GraphPicture(nil, process: picture.process, boxes: boxes, links: links))
      places.append(picture.boxes(of: ends.map(\.node)).compactMapValues { numbers[$0] })
    }
    return (parts, places)
  }
}

extension ProgramPictures {
  /// The connections between channel ends.
  struct Channels {
    /// The boxes of one end with the numbers of their programs, unique and in order.
    typealias Ends = [(program: Int, box: UInt64)]

    /// The links between boxes, or to and from the box of a channel.
    private(set) var links: [GraphPicture.Link] = []
    /// The boxes of channels with several senders and several receivers.
    private(set) var boxes: [GraphPicture.Box] = []
    /// The channel ends without another end, by their boxes.
    private(set) var unjoined: [UInt64: Set<ChannelEnd>] = [:]
    /// The connections between programs, with the links that represent them.
    private(set) var ways: [(source: Int, target: Int, link: GraphPicture.Link)] = []
    private(set) var joinedCount = 0

    /// - Parameters:
    ///   - ends: The channel ends of the nodes of each program.
    ///   - places: The boxes of these nodes.
    ///   - firstID: The first free id.
    init(ends: [[End]], places: [[UInt64: UInt64]], firstID: UInt64) {
      var known: [ChannelEnd: [UInt64: Int]] = [:]
      for (program, list) in ends.enumerated() {
        for entry in list {
          if let box = places[program][entry.node] { known[entry.end, default: [:]][box] = program }
        }
      }
      func boxes(_ end: ChannelEnd) -> Ends {
        (known[end] ?? [:]).map { (program: $0.value, box: $0.key) }.sorted { $0.box < $1.box }
      }
      for name in Set(known.keys.map(\.name)).sorted() {
        let (senders, receivers) = (boxes(ChannelEnd(.to, name)), boxes(ChannelEnd(.from, name)))
        guard !senders.isEmpty, !receivers.isEmpty else {
          for (_, box) in senders { unjoined[box, default: []].insert(ChannelEnd(.to, name)) }
          for (_, box) in receivers { unjoined[box, default: []].insert(ChannelEnd(.from, name)) }
          continue
        }
        joinedCount += 1
        join(
          PictureChannel(name: name, number: joinedCount), senders, receivers, id: firstID + UInt64(self.boxes.count))
      }
    }

    private mutating func join(_ channel: PictureChannel, _ senders: Ends, _ receivers: Ends, id: UInt64) {
      func link(_ source: UInt64, _ target: UInt64) -> GraphPicture.Link {
        GraphPicture.Link(source: source, target: target, kind: .data, copies: 1, channel: channel)
      }
      guard senders.count > 1, receivers.count > 1 else {
        for sender in senders {
          for receiver in receivers where sender.box != receiver.box {
            let link = link(sender.box, receiver.box)
            links.append(link)
            ways.append((sender.program, receiver.program, link))
          }
        }
        return
      }
      // Links from each end to each other would be many without saying more.
      boxes.append(GraphPicture.Box(channel, id: id))
      links += senders.map { link($0.box, id) } + receivers.map { link(id, $0.box) }
      for receiver in receivers {
        for sender in senders { ways.append((sender.program, receiver.program, link(id, receiver.box))) }
      }
    }
  }
}
