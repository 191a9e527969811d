package import SignalGraph

/// Several programs as one picture: a frame around each, and links between those that are ends of one channel.
package struct ProgramPictures: Hashable, Sendable {
  private var pictures: [GraphPicture]
  /// The ends of channels that nodes are, for each program.
  private let ends: [[End]]
  private let direction: DrawingOptions.Direction
  private let hasSilent: Bool

  /// That a node is an end of a channel.
  struct End: Hashable, Sendable {
    let node: UInt64
    let end: ChannelEnd
  }

  /// Makes a picture of each program. The limit of boxes is shared among them: small programs leave theirs to large ones.
  ///
  /// - Throws: ``/SignalGraph/GraphSnapshotError`` if a snapshot does not hang together.
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
    hasSilent = options.hasSilentPrograms
    if let limit = options.boxLimit { reduce(to: limit) }
  }

  /// How many boxes there are.
  package var boxCount: Int { pictures.reduce(0) { $0 + $1.boxes.count } }

  /// Draws less detail until there are at most so many boxes in all programs, or one in each.
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

  /// All programs as one picture of at most so many boxes, or one for each program.
  func picture(limit: Int) -> GraphPicture {
    var smaller = self
    smaller.reduce(to: limit)
    return smaller.picture
  }

  /// All programs as one picture.
  package var picture: GraphPicture {
    let (parts, places) = numbered
    let frames = self.frames
    let channels = Channels(ends: ends, places: places, firstID: UInt64(boxCount) + 1)
    var boxes: [GraphPicture.Box] = []
    for (program, part) in parts.enumerated() {
      for var box in part.boxes {
        box.place?.hasSilent = hasSilent
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
      // Files may be of several machines.
      let copy = known[picture.process.pid, default: 0]
      known[picture.process.pid] = copy + 1
      return ProgramFrames.Frame(
        process: picture.process, id: "p\(picture.process.pid)" + (copy > 0 ? "_\(copy + 1)" : ""),
        nodeCount: picture.nodeCount, nodes: picture.counts, boxCount: picture.boxes.count, notes: picture.notes)
    }
  }

  /// The same pictures with boxes whose ids are unique among all, and the new ids of the boxes of nodes that are ends of channels.
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
  /// How the ends of channels are joined.
  struct Channels {
    /// The boxes of one end, with the numbers of their programs, each once and in their order.
    typealias Ends = [(program: Int, box: UInt64)]

    /// The links between boxes, or from boxes to a channel's box and from it.
    private(set) var links: [GraphPicture.Link] = []
    /// The boxes of channels that several send to and several receive from.
    private(set) var boxes: [GraphPicture.Box] = []
    /// The ends whose other end nobody is, by their boxes.
    private(set) var unjoined: [UInt64: Set<ChannelEnd>] = [:]
    /// From which program to which there is a link, with the links that stand for that.
    private(set) var ways: [(source: Int, target: Int, link: GraphPicture.Link)] = []
    private(set) var joinedCount = 0

    /// - Parameters:
    ///   - ends: The ends that nodes are, for each program.
    ///   - places: The boxes of these nodes.
    ///   - firstID: From here on ids are free.
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
      // From each to each would be many links, of which none says more than the others.
      boxes.append(GraphPicture.Box(channel, id: id))
      links += senders.map { link($0.box, id) } + receivers.map { link(id, $0.box) }
      for receiver in receivers {
        for sender in senders { ways.append((sender.program, receiver.program, link(id, receiver.box))) }
      }
    }
  }
}
