import Signals

/// The events of the inputs of one run. Times are in frames.
struct ModelPlan: Hashable, Sendable {
  /// An event of an input.
  struct Entry: Hashable, Sendable {
    enum Kind: Hashable, Sendable {
      case value(Int)
      case failed
      case finished
    }

    /// Nil inside subscribe.
    var frame: Int?
    var kind: Kind

    var isEnd: Bool {
      if case .value = kind { false } else { true }
    }
  }

  /// The upstream, the further inputs, the inner signals.
  var inputs: [[Entry]]
  static let frameCount = 12

  /// - Parameter valueCount: The maximum number of different values; a value is a position among them.
  init(seed: UInt64, inputCount: Int, valueCount: Int = 10) {
    var random = SplitMix(seed: seed)
    // A second number, as seeds are neighbours.
    random = SplitMix(seed: random.next())
    let bound = min([2, 3, .max][random.below(3)], max(1, valueCount))
    inputs = (0..<inputCount).map { _ in Self.input(&random, bound: bound) }
    // Now and then an input ends inside subscribe, so that this is no rare case.
    if seed % 16 == 5, !inputs.isEmpty {
      let number = random.below(inputs.count)
      inputs[number].removeAll { $0.frame != nil || $0.isEnd }
      inputs[number].append(Entry(frame: nil, kind: random.below(2) == 0 ? .failed : .finished))
    }
    // Now and then there are more values than an operator's state may have been designed for.
    guard seed % 8 == 7, !inputs.isEmpty else { return }
    inputs[0] = Self.input(&random, bound: bound, count: 12 + random.below(30))
  }

  /// - Parameter count: The number of values, not counting those inside subscribe; a few by default.
  private static func input(_ random: inout SplitMix, bound: Int, count: Int? = nil) -> [Entry] {
    func values(_ count: Int, _ frame: (inout SplitMix) -> Int?) -> [Entry] {
      (0..<count).map { _ in Entry(frame: frame(&random), kind: .value(random.below(bound))) }
    }
    var entries: [Entry] = []
    if random.below(4) == 0 { entries += values(1 + random.below(3)) { _ in nil } }
    // Few frames make many events at the same instant.
    let frames = 1 + random.below(frameCount)
    let count = count ?? random.below(7)
    entries += values(count) { $0.below(frames) }.sorted { ($0.frame ?? -1) < ($1.frame ?? -1) }
    guard random.below(5) > 0 else { return entries }
    let last = entries.last?.frame
    let end: Int? =
      if last == nil, random.below(3) == 0 { nil } else { (last ?? 0) + (random.below(2) == 0 ? 0 : random.below(4)) }
    entries.append(Entry(frame: end, kind: random.below(4) == 0 ? .failed : .finished))
    return entries
  }

  /// The events of an input.
  ///
  /// - Parameter values: The values, by their positions.
  func events(of input: Int, values: [Int]) -> [TimedEvent<Int>] {
    inputs[input].map { entry in
      let event: ReceivedEvent<Int> =
        switch entry.kind {
        case .value(let position): .value(values.indices.contains(position) ? values[position] : position)
        case .failed: .failed(input == 0 ? MarbleFailure() : ModelFailure(input: input))
        case .finished: .finished
        }
      return TimedEvent(
        nanoseconds: Int64(entry.frame ?? 0) * Self.frame, isInsideSubscribe: entry.frame == nil, event: event)
    }
  }

  static var frame: Int64 { MarbleDiagram.defaultFrame.exactNanoseconds ?? 1_000_000 }

  // MARK: Shrinking

  /// Smaller plans, those first that save most.
  var smaller: [ModelPlan] {
    var plans: [ModelPlan] = []
    func add(_ input: Int, _ entries: [Entry]) {
      var plan = self
      plan.inputs[input] = entries
      if plan != self { plans.append(plan) }
    }
    for (number, entries) in inputs.enumerated() where !entries.isEmpty {
      add(number, [])
      let half = entries.count / 2
      if half > 0 {
        add(number, Array(entries[half...]))
        add(number, Array(entries[..<half]))
      }
    }
    for (number, entries) in inputs.enumerated() {
      for index in entries.indices {
        var rest = entries
        rest.remove(at: index)
        add(number, rest)
      }
    }
    plans += earlier + simpler
    return plans
  }

  /// Everything from a frame on moved one frame earlier, in all inputs together; and single events earlier.
  private var earlier: [ModelPlan] {
    let frames = Set(inputs.joined().compactMap(\.frame)).sorted()
    var plans: [ModelPlan] = []
    for (index, frame) in frames.enumerated() {
      let before = index > 0 ? frames[index - 1] : -1
      for step in Set([frame - before - 1, 1]).sorted(by: >) where step > 0 && frame - step >= 0 {
        var plan = self
        for number in plan.inputs.indices {
          for place in plan.inputs[number].indices {
            if let old = plan.inputs[number][place].frame, old >= frame {
              plan.inputs[number][place].frame = old - step
            }
          }
        }
        plans.append(plan)
      }
    }
    for number in inputs.indices {
      for place in inputs[number].indices {
        guard let old = inputs[number][place].frame, old > 0 else { continue }
        let before = place > 0 ? inputs[number][place - 1].frame ?? 0 : 0
        guard old > before else { continue }
        var plan = self
        plan.inputs[number][place].frame = old - 1
        plans.append(plan)
      }
    }
    return plans
  }

  /// Smaller values, the end instead of a failure, and time instead of inside subscribe.
  private var simpler: [ModelPlan] {
    var plans: [ModelPlan] = []
    for number in inputs.indices {
      let inside = inputs[number].prefix { $0.frame == nil }.count
      for kept in Set([0, max(0, inside - 1)]).sorted() where kept < inside {
        var plan = self
        for place in kept..<inside { plan.inputs[number][place].frame = 0 }
        plans.append(plan)
      }
      for place in inputs[number].indices {
        func add(_ kind: Entry.Kind) {
          var plan = self
          plan.inputs[number][place].kind = kind
          plans.append(plan)
        }
        switch inputs[number][place].kind {
        case .value(let value):
          for lower in Set([0, 1, value - 1]) where lower >= 0 && lower < value { add(.value(lower)) }
        case .failed: add(.finished)
        case .finished: break
        }
      }
    }
    return plans
  }

  /// The measure that decreases with each step, so that shrinking terminates.
  var size: [Int] {
    let all = inputs.joined()
    return [
      all.count, all.count { $0.frame == nil }, all.reduce(0) { $0 + ($1.frame ?? 0) },
      all.count { $0.kind == .failed },
      all.reduce(0) { sum, entry in if case .value(let value) = entry.kind { sum + value } else { sum } },
    ]
  }
}

/// The failure of a further input or of an inner signal: each has its own, so that an operator which passes on the wrong one
/// differs from its reference.
struct ModelFailure: Error, Hashable, CustomStringConvertible {
  let input: Int

  var description: String { "input \(input)" }
}
