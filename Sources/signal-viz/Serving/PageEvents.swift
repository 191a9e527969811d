import Foundation
import SignalAttach
import SignalGraph
import SignalPicture

/// Sends server-sent events to one page until it disconnects: the list of programs, and for one of them a drawing when
/// it has changed, otherwise only counts that changed.
struct PageEvents {
  let answer: Answer
  let programs: ProgramList
  let layouts: LayoutStore
  let isTracing: Bool
  /// The initial drawing.
  let sight: PageSight

  /// The time without a change after which an untidy drawing is laid out again.
  private static let quietTime = Duration.seconds(3)

  private struct Sent {
    var sight: PageSight
    var list = -1
    var sequence = 0
    /// The number of the last graph sent.
    var number = 0
    var picture: LivePicture?
    /// The boxes with their positions.
    var placed: PlacedPicture?
    /// Whether most boxes are where Graphviz placed them.
    var isTidy = true
    /// The time at which the drawing last changed.
    var changedAt = ContinuousClock.now
    var pictureText = Data()
    var counts: [[Double]] = []
    var findings = Data()
    var status = Data()
    var at = ContinuousClock.now
    /// The earliest time of the next layout.
    var nextLayout = ContinuousClock.now
    /// The time at which the pending layout was first requested.
    var wantedSince: ContinuousClock.Instant?
  }

  func run() throws {
    try answer.begin(type: "text/event-stream; charset=utf-8")
    var sent = Sent(sight: sight)
    while true {
      let list = programs.all
      if list.version != sent.list {
        sent.list = list.version
        try send("programs", list.entries.map(PageMessage.Program.init), &sent)
      }
      if let feed = programs.feed(sight.view.program) {
        let isWaiting = sent.wantedSince != nil
        let look = feed.look(
          after: sent.sequence, tracing: isTracing, until: .now() + .milliseconds(isWaiting ? 100 : 500))
        try tell(look, of: feed, &sent)
        // Only the list of programs can still change.
        if look.isOver { try answer.connection.pause(until: .now + .milliseconds(500)) }
      } else {
        try answer.connection.pause(until: .now + .milliseconds(300))
      }
      // Detects a page that has disconnected.
      if sent.at + .seconds(5) < .now {
        try answer.write(Data(": \n\n".utf8))
        sent.at = .now
      }
    }
  }

  private func tell(_ look: ProgramFeed.Look, of feed: ProgramFeed, _ sent: inout Sent) throws {
    var status = PageMessage.Status(problem: look.problem, hasEnded: look.isOver)
    let isNew = look.sequence > sent.sequence
    if let graph = look.graph, isNew || sent.wantedSince != nil {
      do {
        let picture = try feed.picture(of: graph, view: sent.sight.view)
        let isKnown = sent.picture?.isDrawn(as: picture) == true
        if !isKnown || !sent.isTidy && sent.changedAt + Self.quietTime < .now {
          try place(picture, isKnown: isKnown, &status, &sent)
        } else {
          sent.picture = picture
          sent.wantedSince = nil
        }
      } catch let error as Failure {
        status.problem = error.description
      } catch let error as GraphSnapshotError {
        status.problem = "\(error)".withVisibleControls
      }
      if look.number > sent.number || sent.counts.isEmpty { try tellCounts(of: graph, look, &sent) }
      if let picture = sent.picture {
        try sendIfNew("findings", look.findings.map { PageMessage.FoundThing($0, in: picture) }, \.findings, &sent)
      }
    }
    sent.sequence = look.sequence
    try sendIfNew("status", status, \.status, &sent)
  }

  /// Sends a drawing whose boxes stay where they were drawn before.
  ///
  /// - Parameter isKnown: Whether it was sent already; it is then laid out again, once.
  private func place(
    _ picture: LivePicture, isKnown: Bool, _ status: inout PageMessage.Status, _ sent: inout Sent
  ) throws {
    guard !isKnown, let placed = sent.placed else { return try lay(out: picture, &status, &sent) }
    if let places = placed.places(for: picture) { return try show(picture, in: placed, at: places, &sent) }
    guard let extended = placed.extended(to: picture) else { return try lay(out: picture, &status, &sent) }
    sent.placed = extended
    try show(picture, in: extended, at: Array(picture.keys.indices), &sent)
  }

  /// Sends a drawing if its layout is available, otherwise starts the layout.
  private func lay(out picture: LivePicture, _ status: inout PageMessage.Status, _ sent: inout Sent) throws {
    let now = ContinuousClock.now
    // If most nodes come and go all the time, the drawing is not to jump constantly.
    guard sent.wantedSince != nil || sent.nextLayout <= now else {
      status.isLayingOut = true
      sent.wantedSince = nil
      return
    }
    let since = sent.wantedSince ?? now
    switch layouts.layout(of: picture) {
    case .waiting:
      sent.wantedSince = since
      status.isLayingOut = true
    case .failed(let words):
      sent.wantedSince = nil
      throw Failure(words)
    case .done(let layout):
      let packed = ComponentPacking(of: layout).packed(for: sent.sight.window)
      guard !sent.sight.reduce(for: packed) else {
        sent.wantedSince = since
        status.isLayingOut = true
        return
      }
      let placed = PlacedPicture(picture: picture, layout: packed)
      sent.placed = placed
      try show(picture, in: placed, at: Array(picture.keys.indices), &sent)
      sent.nextLayout = .now + max(.seconds(1), (.now - since) * 3)
    }
  }

  private func show(
    _ picture: LivePicture, in placed: PlacedPicture, at places: PlacedPicture.Places, _ sent: inout Sent
  ) throws {
    let message = PageMessage.Picture(picture, in: placed, at: places, limit: sent.sight.view.boxLimit)
    let text = try PageAnswer.encoder.encode(message)
    (sent.picture, sent.wantedSince) = (picture, nil)
    sent.isTidy = placed.isTidy(with: places)
    // The nodes that came or went may not be drawn.
    guard text != sent.pictureText else { return }
    sent.changedAt = .now
    (sent.pictureText, sent.counts, sent.findings) = (text, [], Data())
    try send("picture", text: text, &sent)
  }

  private func tellCounts(of graph: GraphSnapshot, _ look: ProgramFeed.Look, _ sent: inout Sent) throws {
    guard let picture = sent.picture else { return }
    let counts = LiveCounts(of: graph, since: look.before, in: picture)
    let changed = counts.boxes.enumerated().filter { sent.counts.isEmpty || sent.counts[$0.offset] != $0.element }
    let message = PageMessage.Counts(
      at: graph.takenAt, nodes: counts.nodes.live, ended: counts.nodes.ended, words: counts.nodes.words,
      rate: counts.rate, notes: picture.picture.notes,
      boxes: changed.map { [Double($0.offset)] + $0.element })
    sent.counts = counts.boxes
    sent.number = look.number
    try send("counts", message, &sent)
  }

  private func sendIfNew(
    _ event: String, _ message: some Encodable, _ last: WritableKeyPath<Sent, Data>, _ sent: inout Sent
  ) throws {
    let text = try PageAnswer.encoder.encode(message)
    guard text != sent[keyPath: last] else { return }
    sent[keyPath: last] = text
    try send(event, text: text, &sent)
  }

  private func send(_ event: String, _ message: some Encodable, _ sent: inout Sent) throws {
    try send(event, text: try PageAnswer.encoder.encode(message), &sent)
  }

  /// Sends an event; JSON has no line ends.
  private func send(_ event: String, text: Data, _ sent: inout Sent) throws {
    try answer.write(Data("event: \(event)\ndata: ".utf8) + text + Data("\n\n".utf8))
    sent.at = .now
  }
}

extension PageMessage.Program {
  init(_ entry: ProgramList.Entry) {
    id = entry.id
    name = entry.identity.name.displayable(limit: 100)
    pid = entry.identity.pid
    startedAt = entry.identity.startedAt
    hasEnded = entry.hasEnded
  }
}
