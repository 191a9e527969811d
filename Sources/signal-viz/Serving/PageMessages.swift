import SignalFindings
import SignalGraph
import SignalPicture

/// The messages from the server to the page, as JSON. Identifiers are strings: some are too large for JavaScript's
/// numbers.
enum PageMessage {
  struct Program: Encodable {
    var id: String
    var name: String
    var pid: Int32
    var startedAt: Double
    var hasEnded: Bool
  }

  /// A drawing without the figures that change from snapshot to snapshot.
  struct Picture: Encodable {
    var width: Double
    var height: Double
    var boxes: [Box]
    var links: [Link]
    /// The number of boxes from which on less detail is drawn in this window.
    var limit: Int
  }

  struct Part: Encodable {
    var kind: String
    var name: String?
    var site: String
    var scheduler: String?
  }

  struct Box: Encodable {
    var key: String
    var id: String
    var x: Double
    var y: Double
    var width: Double
    var height: Double
    var parts: [Part]
    var heading: String?
    var copies: Int
    var nodes: Int
    var state: String
    var isLeaked: Bool
    var failure: String?
  }

  struct Link: Encodable {
    var source: Int
    var target: Int
    var kind: String
    var path: [Double]
  }

  /// The counts of each changed box, or of all.
  struct Counts: Encodable {
    var at: Double
    /// The number of live nodes in the whole graph.
    var nodes: Int
    /// The number of ended nodes retained.
    var ended: Int
    /// Both as text.
    var words: String
    /// The values per second that subscribers received, in the whole graph.
    var rate: Double
    /// Notes on how the drawing was reduced.
    var notes: [String]
    /// The maximum number of boxes drawn if each node is requested.
    var most = PageView.largest
    /// Index, values, values per second, waiting, dropped, the number of nodes with a busy consumer, and for a box of
    /// several parts the values of each.
    var boxes: [[Double]]
  }

  struct Place: Encodable {
    var file: String
    var line: Int
    var function: String
  }

  struct FoundThing: Encodable {
    var rule: String
    var severity: String
    var message: String
    var remedy: String
    var place: Place
    /// The first nodes, and the boxes in which they are drawn.
    var nodes: [String]
    var boxes: [String]
  }

  /// The message shown instead of a drawing.
  struct Status: Encodable {
    var problem: String?
    var hasEnded = false
    var isLayingOut = false
  }

  struct Hit: Encodable {
    var id: String
    var box: String?
    var kind: String
    var name: String?
    var site: String
    var count: Double
    var rate: Double?
  }

  struct Hits: Encodable {
    var total: Int
    var hits: [Hit]
  }

  struct Step: Encodable {
    var id: String
    var box: String?
    var title: String
    var site: String?
    var values: Double
    var total: Double
    var state: String
    var notes: [String]
  }

  struct Hop: Encodable {
    var id: String
    var box: String?
    var title: String
    var thread: String
    var waited: String
    var beginning: String?
  }

  /// The details of a node.
  struct Details: Encodable {
    var id: String
    var box: String?
    var kind: String
    var name: String?
    var place: Place?
    /// The address that opens the location in an editor.
    var link: String?
    var state: String
    var failure: String?
    var owner: String?
    var since: Double?
    var count: Double
    var rate: Double?
    var waiting: Double?
    var dropped: Double?
    var scheduler: String?
    var interval: Double?
    var lastValue: String?
    var handler: Handler?
    var waits: Waits?
    var marbles: [Marble]
    var hasFired: Bool
    var reason: String
    var wait: String?
    var path: [Step]
    var trail: [Hop]
    /// The first of the other nodes that the same box represents.
    var others: [Hit]
    var otherCount: Int
    var takenAt: Double
  }

  /// The execution times of a handler's calls, in seconds, including the operators that ran in the same calls.
  struct Handler: Encodable {
    var calls: Double
    var mean: Double
    var longest: Double
    var total: Double
  }

  /// The time for which values waited for a scheduler or a task, in seconds; without any value, the time that one has
  /// been waiting so far.
  struct Waits: Encodable {
    var values: Double
    var mean: Double
    var longest: Double
  }

  /// A value that reached the node, as recorded with its cause.
  struct Marble: Encodable {
    var number: String
    var at: Double
    var thread: String
  }
}

extension PageMessage.Place {
  init(_ place: Place) {
    file = place.fileID.displayable(limit: 300)
    line = place.line
    function = place.function.displayable(limit: 200)
  }
}

extension PageMessage.Handler {
  init(_ times: HandlerTimes) {
    calls = Double(times.calls)
    (mean, longest, total) = (times.seconds / Double(max(1, times.calls)), times.longest, times.seconds)
  }
}

extension PageMessage.Waits {
  init(_ times: WaitTimes) {
    values = Double(times.values)
    (mean, longest) = (times.seconds / Double(max(1, times.values)), times.longest)
  }
}

extension PageMessage.FoundThing {
  init(_ finding: Finding, in picture: LivePicture?) {
    rule = finding.rule
    severity = finding.severity.rawValue
    message = finding.message.displayable(limit: 1_000)
    remedy = finding.remedy.displayable(limit: 1_000)
    place = PageMessage.Place(finding.place)
    // Drawn nodes come first, and the first box is that of the first node.
    let drawn = finding.nodes.filter { picture?.places[$0] != nil }
    nodes = (drawn + finding.nodes.filter { picture?.places[$0] == nil }).prefix(20).map { "\($0)" }
    var seen: Set<Int> = []
    boxes = drawn.compactMap { picture?.places[$0]?.box }.filter { seen.insert($0).inserted }
      .compactMap { picture?.keys[$0] }
  }
}

extension PageMessage.Picture {
  /// - Parameters:
  ///   - live: The drawing.
  ///   - placed: The drawing that was laid out.
  ///   - places: The positions of the boxes in that one.
  ///   - limit: The number of boxes from which on less detail is drawn.
  init(_ live: LivePicture, in placed: PlacedPicture, at places: PlacedPicture.Places, limit: Int) {
    self.limit = limit
    func rounded(_ value: Double) -> Double { (value * 10).rounded() / 10 }
    width = rounded(placed.layout.width)
    height = rounded(placed.layout.height)
    let schedulers = live.picture.schedulers
    boxes = live.picture.boxes.indices.map { index in
      let box = live.picture.boxes[index]
      let place = placed.box(at: places[index])
      return PageMessage.Box(
        key: live.keys[index], id: "\(box.id)", x: rounded(place.x), y: rounded(place.y), width: rounded(place.width),
        height: rounded(place.height),
        parts: box.parts.prefix(200).map {
          PageMessage.Part(
            kind: $0.kind.displayable(limit: 60), name: $0.name?.displayable(limit: 60),
            site: $0.site.displayable(limit: 80), scheduler: $0.scheduler.map { schedulers[$0].displayable(limit: 40) })
        },
        heading: box.heading?.displayable(limit: 80), copies: box.copies, nodes: box.nodeCount,
        state: box.state.rawValue, isLeaked: box.findings.contains(.leaked),
        failure: box.parts.lazy.compactMap(\.failure).first?.displayable(limit: 160))
    }
    links = placed.lines(for: live, at: places).map { line in
      PageMessage.Link(
        source: line.source, target: line.target, kind: Edge.Kind.allCases[line.kind].rawValue,
        path: line.points.map(rounded))
    }
  }
}
