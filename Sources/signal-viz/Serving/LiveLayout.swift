import Foundation
import SignalGraph
import SignalPicture
import SignalRendering
import Synchronization

/// The positions of a drawing's boxes and links, by the boxes' numbers, in pixels from the upper left corner.
struct LiveLayout: Sendable {
  struct Box: Sendable {
    var x: Double
    var y: Double
    var width: Double
    var height: Double
  }

  struct Line: Sendable {
    var source: Int
    var target: Int
    /// The index of its kind among all kinds.
    var kind: Int
    /// The points of a cubic Bézier curve.
    var points: [Double]
  }

  var width = 0.0
  var height = 0.0
  var boxes: [Int: Box] = [:]
  var lines: [Line] = []

  /// Creates an empty layout.
  init() {}

  /// Parses Graphviz's format `plain`.
  init(plain text: String) throws {
    func wrong(_ line: Substring) -> Failure {
      Failure("libgraphviz wrote a line that is not understood: \(String(line).displayable()).")
    }
    for line in text.split(separator: "\n") {
      let words = line.split(separator: " ")
      func number(_ index: Int) throws -> Double {
        guard index < words.count, let inches = Double(words[index]), inches.isFinite else { throw wrong(line) }
        return inches * 72
      }
      switch words.first {
      case "graph": (width, height) = try (number(2), number(3))
      case "node":
        guard words.count > 5, let id = Int(words[1].dropFirst()) else { throw wrong(line) }
        let (x, y, boxWidth, boxHeight) = try (number(2), number(3), number(4), number(5))
        boxes[id] = Box(x: x - boxWidth / 2, y: height - y - boxHeight / 2, width: boxWidth, height: boxHeight)
      case "edge":
        guard words.count > 4, let source = Int(words[1].dropFirst()), let target = Int(words[2].dropFirst()),
          let count = Int(words[3]), count >= 4, words.count >= 4 + 2 * count,
          let kind = Int(words[words.count - 1].dropFirst())
        else { throw wrong(line) }
        let points = try (0..<count).flatMap { [try number(4 + 2 * $0), height - (try number(5 + 2 * $0))] }
        lines.append(Line(source: source, target: target, kind: kind, points: points))
      default: continue
      }
    }
  }
}

extension LiveLayout {
  /// The bounding rectangle of boxes and lines.
  struct Frame {
    private var (left, top) = (Double.infinity, Double.infinity)
    private var (right, bottom) = (-Double.infinity, -Double.infinity)

    mutating func include(_ box: Box) { include([box.x, box.y, box.x + box.width, box.y + box.height]) }

    /// - Parameter points: Alternating horizontal and vertical positions.
    mutating func include(_ points: [Double]) {
      for (index, value) in points.enumerated() {
        if index % 2 == 0 {
          (left, right) = (min(left, value), max(right, value))
        } else {
          (top, bottom) = (min(top, value), max(bottom, value))
        }
      }
    }

    var box: Box {
      right < left
        ? Box(x: 0, y: 0, width: 0, height: 0) : Box(x: left, y: top, width: right - left, height: bottom - top)
    }
  }
}

/// Lays out drawings, at most two at a time, each in a process of its own, and caches the last few layouts.
final class LayoutStore: Sendable {
  enum Answer: Sendable {
    case waiting
    case done(LiveLayout)
    case failed(String)
  }

  private struct Known {
    var dot: String
    var answer: Answer
    /// The time from which on a failed layout is tried again.
    var retryAt: ContinuousClock.Instant?
    var failureCount = 0
  }

  private struct State {
    var known: [Known] = []
    var running = 0
  }

  private let state = Mutex(State())
  private let now: @Sendable () -> ContinuousClock.Instant
  private let lay: @Sendable (_ dot: String) throws -> LiveLayout
  private static let kept = 12
  private static let mostAttempts = 3
  /// The number of boxes from which on backward links have no influence on positions.
  private static let manyBoxes = 150
  static let limits = LayoutProcess.Limits(seconds: 30, megabytes: 2_048)

  /// - Parameters:
  ///   - now: The current time.
  ///   - lay: Lays out a drawing in Graphviz's language.
  init(
    now: @escaping @Sendable () -> ContinuousClock.Instant = { .now },
    lay: @escaping @Sendable (_ dot: String) throws -> LiveLayout = LayoutStore.layInAProcess
  ) {
    self.now = now
    self.lay = lay
  }

  /// The layout of a drawing if it is available; otherwise starts it.
  func layout(of live: LivePicture) -> Answer {
    let picture = live.picture
    var attributes: [String: String] = [:]
    if picture.boxes.count > 700 { (attributes["nslimit"], attributes["nslimit1"]) = ("0.1", "0.1") }
    if picture.boxes.count > 1_500 { attributes["maxiter"] = "8" }
    let dot = picture.places(
      .fitting, ignoresFeedback: picture.boxes.count > Self.manyBoxes, graphAttributes: attributes,
      numbers: live.numbers, size: BoxSize.of)
    let (answer, isNew) = state.withLock { state -> (Answer, Bool) in
      if let index = state.known.firstIndex(where: { $0.dot == dot }) {
        // Requested layouts move to the end and are evicted last.
        var known = state.known.remove(at: index)
        let retries = state.running < 2 && known.retryAt.map { $0 <= now() } ?? false
        if retries {
          known.retryAt = nil
          state.running += 1
        }
        state.known.append(known)
        return (known.answer, retries)
      }
      guard state.running < 2 else { return (.waiting, false) }
      state.running += 1
      state.known.append(Known(dot: dot, answer: .waiting))
      if state.known.count > Self.kept {
        if let old = state.known.firstIndex(where: { if case .waiting = $0.answer { false } else { true } }) {
          state.known.remove(at: old)
        }
      }
      return (.waiting, true)
    }
    guard isNew else { return answer }
    Thread.detachNewThread { [self] in
      let start = now()
      let result = Result { try lay(dot) }
      let end = now()
      state.withLock { state in
        state.running -= 1
        guard let index = state.known.firstIndex(where: { $0.dot == dot }) else { return }
        switch result {
        case .success(let layout): state.known[index].answer = .done(layout)
        case .failure(let error):
          state.known[index].answer = .failed("\(error)")
          state.known[index].failureCount += 1
          // Memory or processor time may have been short. Attempts take a small share of the time.
          let pause = max(.seconds(5), (end - start) * 10)
          state.known[index].retryAt = state.known[index].failureCount < Self.mostAttempts ? end + pause : nil
        }
      }
    }
    return answer
  }

  static func layInAProcess(_ dot: String) throws -> LiveLayout {
    let file = try ScratchFile()
    try LayoutProcess.run(dot, .dot, format: LayoutCommand.places, limits: limits, into: file.handle)
    return try LiveLayout(plain: String(decoding: try file.contents(), as: UTF8.self))
  }
}
