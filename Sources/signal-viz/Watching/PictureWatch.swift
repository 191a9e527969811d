import Foundation
import SignalGraph
import SignalPicture

/// Draws a program's graph into a file each time its structure has changed, until interrupted or the program ends.
struct PictureWatch {
  var program: ProgramConnection
  var focus: GraphFocus
  var interval: WatchTime
  /// The timeout of each response.
  var patience: Duration
  /// Whether changed figures are drawn too.
  var drawsCounts: Bool
  var file: OutputFile
  var kind: OutputKind
  var options: DrawingOptions
  /// The links of boxes.
  var links: LinkChoice
  var sources: SourceFolder
  var limits: LayoutProcess.Limits

  /// The minimum interval of drawings, as a multiple of the time one takes: a large graph that changes constantly does
  /// not keep this machine busy.
  private static let restFactor = 3.0

  /// The last drawing.
  private struct Drawn {
    var graph: GraphSnapshot
    var structure: GraphStructure
    var pictures = 1
  }

  func run() throws {
    let interruption = Interruption()
    var program = program
    program.interruption = interruption.descriptor
    let line = StatusLine()
    // If the first snapshot fails, or cannot be drawn, there is nothing to watch.
    let first = try look(at: program)
    // Repeated queries may be delayed by the program.
    program.isPatient = true
    let identity = first.process
    let clock = ContinuousClock()
    let began = clock.now
    var direction = Steady(options.direction)
    Terminal.note("Watching \(identity.words): a poll every \(interval.words). Ctrl-C ends it.")
    var drawn = Drawn(graph: first, structure: GraphStructure(first, showsEnded: options.showsEnded))
    var mayDraw = clock.now
    if let note = try draw(first, &direction, mayDraw: &mayDraw) { Terminal.note(note) }
    try line.say("\(TimeOfDay.words) \(file.name): \(drawn.structure.words)")
    var (isSilent, isPending, hasEnded) = (false, false, false)
    while true {
      if interruption.comes(within: max(.seconds(interval.seconds), isPending ? mayDraw - clock.now : .zero)) { break }
      let graph: GraphSnapshot
      do {
        graph = try look(at: program)
        guard graph.process == identity else {
          hasEnded = true
          break
        }
        if isSilent { try tell("\(identity.words) answers again.", line) }
        isSilent = false
      } catch is ProgramConnection.Interrupted {
        break
      } catch {
        if program.isGone {
          hasEnded = true
          break
        }
        // The program may be stopped, or busy; or the requested part does not exist right now.
        if !isSilent { try tell("\(error)\nStill watching.", line) }
        isSilent = true
        continue
      }
      let structure = GraphStructure(graph, showsEnded: options.showsEnded)
      let changes = structure.changes(since: drawn.structure)
      isPending = changes != nil || drawsCounts && graph.hasOtherFigures(than: drawn.graph)
      guard isPending, clock.now >= mayDraw else { continue }
      do {
        if let note = try draw(graph, &direction, mayDraw: &mayDraw) { try tell(note, line) }
        drawn = Drawn(graph: graph, structure: structure, pictures: drawn.pictures + 1)
        isPending = false
        try line.say("\(TimeOfDay.words) \(changes.map { "\($0): " } ?? "")\(structure.words)")
      } catch {
        // Ctrl-C ends a layout too.
        if interruption.comes(within: .zero) { break }
        // The next drawing may be smaller, or the disk have space again.
        try tell("\(error)\nStill watching.", line)
      }
    }
    try line.leave()
    let pictures = drawn.pictures == 1 ? "1 picture" : "\(drawn.pictures.grouped) pictures"
    let time = WatchTime(seconds: (clock.now - began) / .seconds(1)).words
    try Terminal.write(
      line: "\(TimeOfDay.words) \(identity.words) \(hasEnded ? "has ended" : "goes on"): \(pictures) in \(time).")
  }

  private func tell(_ words: String, _ line: StatusLine) throws {
    try line.leave()
    Terminal.note(words)
  }

  private func look(at program: ProgramConnection) throws -> GraphSnapshot {
    try program.snapshot(of: focus, within: patience)
  }

  /// Writes the drawing, and sets the earliest time of the next one.
  ///
  /// - Returns: A message for the user, if there is one.
  private func draw(
    _ graph: GraphSnapshot, _ direction: inout Steady, mayDraw: inout ContinuousClock.Instant
  ) throws -> String? {
    let began = ContinuousClock.now
    defer { mayDraw = .now + (.now - began) * Self.restFactor }
    let picture = try GraphPicture(of: graph, options: options)
    var options = options
    options.direction = direction.choose(for: picture, options)
    options.sourceLink = try links.sourceLink(of: graph, in: sources)
    switch kind {
    case .json: throw Failure("A graph is watched as a picture: \(OutputKind.pictures).")
    case .dot: try file.write(Data(picture.dot(options: options).utf8))
    case .mermaid: try file.write(Data(graph.mermaid(options: options).utf8))
    case .picture(let format):
      return try PictureFile(graph: graph, format: format, options: options, limits: limits)
        .write(named: file.name, file.write)
    }
    return nil
  }

  /// A direction that remains while the graph has about the size for which it was chosen: a change would move all
  /// boxes.
  struct Steady {
    private let wanted: DrawingOptions.Direction
    private var chosen: (direction: DrawingOptions.Direction, boxes: Int)?

    init(_ wanted: DrawingOptions.Direction) { self.wanted = wanted }

    mutating func choose(for picture: GraphPicture, _ options: DrawingOptions) -> DrawingOptions.Direction {
      guard wanted == .fitting else { return wanted }
      let count = picture.boxes.count
      if let chosen, chosen.boxes > 0, count * 2 > chosen.boxes, count < chosen.boxes * 2 { return chosen.direction }
      let direction = picture.direction(for: options)
      chosen = (direction, count)
      return direction
    }
  }
}

extension GraphSnapshot {
  /// Whether the counts of passed, waiting or dropped values differ for any node.
  fileprivate func hasOtherFigures(than other: GraphSnapshot) -> Bool {
    struct Figures: Hashable {
      var id: UInt64
      var figures: [UInt64?]
    }
    func figures(_ graph: GraphSnapshot) -> [Figures] {
      graph.nodes.map { Figures(id: $0.id, figures: [$0.valueCount, $0.waiting, $0.dropped]) }
    }
    return figures(self) != figures(other)
  }
}
