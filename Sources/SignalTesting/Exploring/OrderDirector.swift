import SignalMarbles
import Signals
import Synchronization

/// The plan of an order: which work items to take.
struct OrderPlan: Sendable {
  /// How to continue after the choices.
  enum Rest: Sendable {
    case scheduling
    /// Any work item, each time.
    case anything(seed: UInt64)
    /// Each work item has a priority; now and then the one with the highest loses it.
    case priorities(seed: UInt64, steps: Int)
    /// In scheduling order, except for a few work items.
    case fewSwaps(seed: UInt64, steps: Int)
    /// In the order of these ranks; others come last. In a detailed run.
    case ranks([PieceName: Int])
    /// In scheduling order, but with none of these first, until an item has run that depends on them. In a detailed
    /// run.
    case avoiding([PieceName: Footprint])
  }

  /// For each work item that runs, the index among those that are ready, in scheduling order.
  var choices: [Int] = []
  var rest = Rest.scheduling
  /// Whether to note the identity of work items.
  var isDetailed = false
}

/// Identifies a work item by its scheduling item, so that it is the same in every order.
typealias PieceName = UInt64

/// The resources that a work item touches.
enum Footprint: Sendable {
  case everything
  case only(Set<String>)

  func isIndependent(of other: Footprint) -> Bool {
    guard case .only(let left) = self, case .only(let right) = other else { return false }
    return left.isDisjoint(with: right)
  }
}

/// The record of one order of work.
struct OrderRecord {
  /// One work item that ran.
  struct Piece {
    /// All ready ones, in scheduling order.
    var ready: [PieceName]
    var name: PieceName
    /// The work item that scheduled it; 0 for the scenario itself.
    var author: PieceName
    var nanoseconds: Int64
    var footprint = Footprint.everything
  }

  var choices: [Int] = []
  /// The number of ready work items, for each that ran.
  var counts: [Int] = []
  /// In a detailed run, the work items that ran.
  var pieces: [Piece] = []
  /// The first choice that was not available.
  var misfit: Int?

  /// The distance from the scheduling order, in swaps of neighbours.
  var swapCount: Int { choices.reduce(0, +) }
  /// Whether there was never a choice.
  var isOnlyOrder: Bool { counts.allSatisfy { $0 < 2 } }

  /// A sentence about the closest work items of a detailed run; empty if there are no two.
  var separation: String {
    let neighbours = zip(pieces, pieces.dropFirst())
    func time(_ piece: Piece) -> String { MarbleDuration.spoken(piece.nanoseconds) }
    if let (first, second) = neighbours.first(where: { $0.nanoseconds == $1.nanoseconds }) {
      let others = pieces.filter { $0.nanoseconds == first.nanoseconds }.map(\.name)
      let reason =
        others.contains(second.author)
        ? "one schedules the other" : "one belongs to the test itself, which runs before all other work"
      return "At \(time(first)) two work items run, but \(reason). "
    }
    guard
      let (first, second) = neighbours.min(by: {
        $0.1.nanoseconds - $0.0.nanoseconds < $1.1.nanoseconds - $1.0.nanoseconds
      })
    else { return "" }
    return "The closest work items are at \(time(first)) and \(time(second)). "
  }
}

/// Decides the order of one run.
final class OrderDirector: Sendable {
  @TaskLocal static var current: OrderDirector?

  private struct State {
    var record = OrderRecord()
    var random: SplitMix
    /// The steps at which the work item with the highest priority loses it, or at which one is skipped.
    var special: Set<Int> = []
    var priorities: [UInt64: Int] = [:]
    var lowest = 0
    /// The first ready work item, and how often others were preferred to it.
    var passed: (number: UInt64, count: Int) = (0, 0)
    /// The work items that scheduled the numbers from here on.
    var authors: [(first: UInt64, name: PieceName)] = [(0, 0)]
    var running: PieceName = 0
    var lastNumber: UInt64 = 0
    var sleeping: [PieceName: Footprint] = [:]
  }

  private let plan: OrderPlan
  private let state: Mutex<State>
  /// Whether the run differs from the first one, which has scheduling order.
  let isVariant: Bool
  /// Whether the runs take place while a global variable is being created; nil if that is not known.
  let isInFirstUse: Bool?

  /// - Parameter isVariant: Whether something else than the order differs from the first run.
  init(_ plan: OrderPlan, isInFirstUse: Bool? = nil, isVariant: Bool = false) {
    self.plan = plan
    if case .scheduling = plan.rest {
      self.isVariant = isVariant || !plan.choices.isEmpty
    } else {
      self.isVariant = true
    }
    self.isInFirstUse = isInFirstUse
    var random = SplitMix(seed: 0)
    var special: Set<Int> = []
    switch plan.rest {
    case .scheduling, .ranks, .avoiding: break
    case .anything(let seed): random = SplitMix(seed: seed)
    case .priorities(let seed, let steps), .fewSwaps(let seed, let steps):
      random = SplitMix(seed: seed)
      for _ in 0...random.below(4) { special.insert(random.below(max(1, steps))) }
    }
    var sleeping: [PieceName: Footprint] = [:]
    if case .avoiding(let names) = plan.rest { sleeping = names }
    state = Mutex(State(random: random, special: special, sleeping: sleeping))
  }

  /// The record of the run so far.
  var record: OrderRecord { state.withLock { $0.record } }

  func choose(_ ready: VirtualTimeScheduler.ReadyPieces) -> Int {
    state.withLock { state in
      let step = state.record.choices.count
      let names = plan.isDetailed ? names(of: ready, &state) : []
      let choice = pick(ready.numbers, names, step, &state)
      state.record.choices.append(choice)
      state.record.counts.append(ready.numbers.count)
      if plan.isDetailed {
        state.running = names[choice]
        state.record.pieces.append(
          OrderRecord.Piece(
            ready: names, name: names[choice], author: Self.author(of: ready.numbers[choice], state.authors).name,
            nanoseconds: ready.deadline.exactNanoseconds ?? .max))
      }
      return choice
    }
  }

  /// Notes that the running work item touches only these.
  func touch(_ things: Set<String>) {
    state.withLock { state in
      guard let last = state.record.pieces.indices.last else { return }
      if case .only(let before) = state.record.pieces[last].footprint {
        state.record.pieces[last].footprint = .only(before.union(things))
      } else {
        state.record.pieces[last].footprint = .only(things)
      }
    }
  }

  private func pick(_ numbers: [UInt64], _ names: [PieceName], _ step: Int, _ state: inout State) -> Int {
    let count = numbers.count
    if case .avoiding = plan.rest, step >= plan.choices.count, let last = state.record.pieces.last {
      state.sleeping = state.sleeping.filter { $0.value.isIndependent(of: last.footprint) }
    }
    if step < plan.choices.count {
      let choice = plan.choices[step]
      if choice < count { return choice }
      if state.record.misfit == nil { state.record.misfit = step }
      return 0
    }
    switch plan.rest {
    case .scheduling: return 0
    case .avoiding: return names.firstIndex { state.sleeping[$0] == nil } ?? 0
    case .ranks(let ranks): return names.indices.min { ranks[names[$0]] ?? .max < ranks[names[$1]] ?? .max } ?? 0
    case .anything: return count > 1 ? state.random.below(count) : 0
    case .fewSwaps: return count > 1 && state.special.contains(step) ? 1 + state.random.below(count - 1) : 0
    case .priorities:
      guard count > 1 else { return 0 }
      // A task that yields until another has done something must not wait forever.
      state.passed = numbers[0] == state.passed.number ? (numbers[0], state.passed.count + 1) : (numbers[0], 0)
      if state.passed.count > Self.longestPreference { return 0 }
      var first = Self.first(numbers, &state)
      if state.special.contains(step) {
        state.lowest -= 1
        state.priorities[numbers[first]] = state.lowest
        first = Self.first(numbers, &state)
      }
      return first
    }
  }

  /// The maximum number of work items that are preferred to the first one, one after the other.
  private static var longestPreference: Int { 1_000 }

  /// The index of the work item with the highest priority; new ones get a random one.
  private static func first(_ numbers: [UInt64], _ state: inout State) -> Int {
    var best = (index: 0, priority: Int.min)
    for (index, number) in numbers.enumerated() {
      let priority = state.priorities[number] ?? state.random.below(1 << 30)
      state.priorities[number] = priority
      if priority > best.priority { best = (index, priority) }
    }
    return best.index
  }

  private func names(of ready: VirtualTimeScheduler.ReadyPieces, _ state: inout State) -> [PieceName] {
    // The current work item scheduled everything since it was taken. Everything before the first belongs to the
    // scenario.
    if !state.record.pieces.isEmpty { state.authors.append((state.lastNumber + 1, state.running)) }
    state.lastNumber = ready.lastNumber
    return ready.numbers.map { Self.name(of: $0, state.authors) }
  }

  private static func author(
    of number: UInt64, _ authors: [(first: UInt64, name: PieceName)]
  ) -> (first: UInt64, name: PieceName) {
    var low = 0
    var high = authors.count
    while high - low > 1 {
      let middle = (low + high) / 2
      if authors[middle].first <= number { low = middle } else { high = middle }
    }
    return authors[low]
  }

  private static func name(of number: UInt64, _ authors: [(first: UInt64, name: PieceName)]) -> PieceName {
    let author = author(of: number, authors)
    var mixer = SplitMix(seed: author.name ^ ((number - author.first) &+ 1) &* 0x9E37_79B9_7F4A_7C15)
    return mixer.next()
  }
}
