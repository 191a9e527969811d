/// The events at one instant on one line as drawn: shortened, counted, and with all widths known.
struct MarbleGroup {
  /// The maximum number of events drawn at one instant; the others are counted.
  static let limit = 6
  static let height = 26
  private static let gap = 4

  struct Item {
    enum Shape: Equatable {
      case value(label: String)
      case anyValue
      /// A number of events that are not drawn.
      case others(Int)
      case failed(name: String)
      case finished
    }

    var shape: Shape
    /// The text for screen readers and tooltips.
    var words: String
    var difference: MarblePicture.Event.Difference?
    /// The extents to the left and to the right of its centre.
    var left: Int
    var right: Int
    /// Its centre, relative to that of the group.
    var offset = 0
  }

  private(set) var items: [Item]
  /// Whether the completion is drawn behind the only value, so that both are at their exact time.
  let isCrossed: Bool
  /// Whether a frame surrounds the events.
  let isFramed: Bool
  let isUnordered: Bool
  private(set) var left = 0
  private(set) var right = 0

  init(_ events: [MarblePicture.Event], isUnordered: Bool) {
    items = Self.shown(events).map(Self.item)
    self.isUnordered = isUnordered && items.count > 1
    isCrossed =
      items.count == 2 && items[1].shape == .finished && items[0].isMarble && items[0].difference == items[1].difference
    isFramed = items.count > 1 && !isCrossed
    place()
  }

  /// Whether any event of the instant differs.
  var isDifferent: Bool { items.contains { $0.difference != nil } }

  private mutating func place() {
    guard isFramed else {
      left = items.map(\.left).max() ?? 0
      right = items.map(\.right).max() ?? 0
      return
    }
    let inner = items.reduce(0) { $0 + $1.left + $1.right } + Self.gap * (items.count - 1)
    var x = -(inner / 2)
    for index in items.indices {
      items[index].offset = x + items[index].left
      x += items[index].left + items[index].right + Self.gap
    }
    left = inner / 2 + 5
    right = inner - inner / 2 + 5
  }

  /// The first events and the terminal one; between them, the number of others.
  private static func shown(_ events: [MarblePicture.Event]) -> [(event: MarblePicture.Event?, others: Int)] {
    guard events.count > limit else { return events.map { ($0, 0) } }
    let end = events.last.flatMap { $0.kind == .finished || $0.isFailure ? $0 : nil }
    let kept = limit - (end == nil ? 1 : 2)
    let others = events.count - kept - (end == nil ? 0 : 1)
    return events.prefix(kept).map { ($0, 0) } + [(nil, others)] + (end.map { [($0, 0)] } ?? [])
  }

  private static func item(_ entry: (event: MarblePicture.Event?, others: Int)) -> Item {
    guard let event = entry.event else {
      let half = half("+\(entry.others.grouped)")
      return Item(
        shape: .others(entry.others), words: "\(entry.others.grouped) more values", left: half, right: half)
    }
    switch event.kind {
    case .value(let text):
      let label = MarbleLabel.marble(text)
      let half = half(label)
      return Item(
        shape: .value(label: label), words: MarbleLabel.shown(text, limit: 200), difference: event.difference,
        left: half, right: half)
    case .anyValue:
      return Item(
        shape: .anyValue, words: "any value", difference: event.difference, left: height / 2, right: height / 2)
    case .failed(let name):
      let shown = MarbleLabel.shown(name ?? "", limit: 16)
      let words = name.map { "fails: \(MarbleLabel.shown($0, limit: 200))" } ?? "fails"
      let text = shown.isEmpty ? 0 : MarbleLabel.width(shown, size: 12) + 5
      return Item(shape: .failed(name: shown), words: words, difference: event.difference, left: 9, right: 9 + text)
    case .finished:
      return Item(shape: .finished, words: "finishes", difference: event.difference, left: 3, right: 3)
    }
  }

  private static func half(_ label: String) -> Int {
    max(height / 2, (MarbleLabel.width(label, size: 14) + 15) / 2)
  }
}

extension MarbleGroup.Item {
  fileprivate var isMarble: Bool {
    switch shape {
    case .value, .anyValue, .others: true
    case .failed, .finished: false
    }
  }
}

extension MarblePicture.Event {
  var isFailure: Bool {
    if case .failed = kind { return true }
    return false
  }
}
