/// Searches for an order of work in which a scenario fails: first those with the fewest swaps, then any.
struct OrderSearch {
  /// One order, and its failures.
  struct Trial {
    var record: OrderRecord
    var failures: [FailureCapture.Failure] = []
  }

  /// The result of the search.
  enum Ending {
    /// Nothing failed.
    case passed
    case failed(Trial)
    /// The scenario is not deterministic.
    case unsteady(step: Int, before: Int, now: Int)
  }

  /// An order to try: that of another run up to a work item, there another item, and then scheduling order.
  private struct Branch {
    var parent: OrderRecord
    var step: Int
    var choice: Int
    var node: Node?
    /// The work items that need not run first below the parent's steps.
    var choices: [Int] { parent.choices[..<step] + [choice] }
  }

  /// An instant with several ready work items: those that need not be taken here, as an equivalent order is tried
  /// elsewhere.
  private final class Node {
    var sleeping: [PieceName: Footprint]

    init(_ sleeping: [PieceName: Footprint]) { self.sleeping = sleeping }
  }

  private static var longestShrinking: Int { 5_000 }

  private let limit: Int
  private let seed: UInt64
  private let perform: (OrderPlan) -> Trial
  /// Orders to try, by the number of their swaps.
  private var branches: [[Branch]] = []
  private var branchCount = 0
  private var isTruncated = false
  private var isPruning = false
  private(set) var ranCount = 0
  private(set) var prunedCount = 0
  /// The number of swaps up to which all orders were tried.
  private(set) var completeSwapCount = 0

  /// Whether every order was tried, or an equivalent one.
  private(set) var isExhaustive = false

  init(limit: Int, seed: UInt64, perform: @escaping (OrderPlan) -> Trial) {
    self.limit = max(1, limit)
    self.seed = seed
    self.perform = perform
  }

  private mutating func run(_ plan: OrderPlan) -> Trial {
    ranCount += 1
    return perform(plan)
  }

  /// Runs the scenario in its scheduling order.
  mutating func runFirst() -> Trial { run(OrderPlan(isDetailed: true)) }

  /// Tries other orders.
  ///
  /// - Parameter first: The scheduling order's run, which passed.
  mutating func search(after first: Trial) -> Ending {
    isPruning = first.record.pieces.contains {
      if case .only = $0.footprint { true } else { false }
    }
    branchOut(first.record, from: 0, sleeping: [:])
    // Orders beyond the fewest swaps get half of all runs.
    let count = countOfOrders(first.record)
    let limitOfBranches = count.map { $0 <= limit } ?? false ? limit : limit - limit / 2
    var swaps = 0
    while swaps < branches.count {
      var position = 0
      while position < branches[swaps].count {
        guard ranCount < limitOfBranches else { return searchAnywhere(first.record.counts.count) }
        let branch = branches[swaps][position]
        position += 1
        if let ending = follow(branch) { return ending }
      }
      branchCount -= branches[swaps].count
      branches[swaps] = []
      if !isTruncated { completeSwapCount = swaps }
      swaps += 1
    }
    if isTruncated { return searchAnywhere(first.record.counts.count) }
    isExhaustive = true
    return .passed
  }

  /// The number of orders, if no order changes what is ready; nil if there are too many to count.
  private func countOfOrders(_ record: OrderRecord) -> Int? {
    var count = 1
    for number in record.counts {
      let (product, isTooMany) = count.multipliedReportingOverflow(by: number)
      if isTooMany { return nil }
      count = product
    }
    return count
  }

  private mutating func follow(_ branch: Branch) -> Ending? {
    let name = isPruning ? branch.parent.pieces[branch.step].ready[branch.choice] : 0
    if let node = branch.node, node.sleeping[name] != nil {
      prunedCount += 1
      return nil
    }
    let trial = run(
      OrderPlan(
        choices: branch.choices, rest: branch.node.map { .avoiding($0.sleeping) } ?? .scheduling, isDetailed: isPruning)
    )
    if !trial.failures.isEmpty { return .failed(trial) }
    for step in 0...branch.step {
      let now = trial.record.counts.indices.contains(step) ? trial.record.counts[step] : 0
      let before = branch.parent.counts[step]
      if now != before { return .unsteady(step: step, before: before, now: now) }
    }
    guard let node = branch.node else {
      branchOut(trial.record, from: branch.step + 1, sleeping: [:])
      return nil
    }
    let footprint = trial.record.pieces[branch.step].footprint
    let sleeping = node.sleeping.filter { $0.value.isIndependent(of: footprint) }
    node.sleeping[name] = footprint
    branchOut(trial.record, from: branch.step + 1, sleeping: sleeping)
    return nil
  }

  /// Adds the orders that differ from one that was run at a step, or at a later one.
  private mutating func branchOut(_ record: OrderRecord, from start: Int, sleeping: [PieceName: Footprint]) {
    var sleeping = sleeping
    var base = record.choices[..<min(start, record.choices.count)].reduce(0, +)
    for step in start..<max(start, record.counts.count) {
      var node: Node?
      var isRedundant = false
      if isPruning {
        let piece = record.pieces[step]
        isRedundant = sleeping[piece.name] != nil
        var asleep = sleeping
        asleep[piece.name] = piece.footprint
        node = Node(asleep)
        sleeping = sleeping.filter { $0.value.isIndependent(of: piece.footprint) }
      }
      // Those before the taken one are asleep.
      let taken = record.choices[step]
      for choice in (taken + 1)..<max(taken + 1, record.counts[step]) {
        guard branchCount < limit else {
          isTruncated = true
          return
        }
        let swaps = base + choice
        while branches.count <= swaps { branches.append([]) }
        branches[swaps].append(Branch(parent: record, step: step, choice: choice, node: node))
        branchCount += 1
      }
      base += taken
      // The orders below are tried elsewhere.
      if isRedundant {
        prunedCount += 1
        return
      }
    }
  }

  /// Tries orders that a seed picks.
  private mutating func searchAnywhere(_ steps: Int) -> Ending {
    var number: UInt64 = 0
    while ranCount < limit {
      var mixer = SplitMix(seed: seed &+ number)
      let seed = mixer.next()
      let rest: OrderPlan.Rest =
        switch number % 4 {
        case 0, 1: .anything(seed: seed)
        case 2: .priorities(seed: seed, steps: steps)
        default: .fewSwaps(seed: seed, steps: steps)
        }
      let trial = run(OrderPlan(rest: rest))
      if !trial.failures.isEmpty { return .failed(trial) }
      number += 1
    }
    return .passed
  }

  // MARK: Shrinking

  /// The failing order with the fewest swaps that can be found from a failing one.
  mutating func shrink(_ trial: Trial) -> Trial {
    var best = trial
    var left = Self.longestShrinking
    /// Tries an order, and keeps it if it is better.
    func isBetter(_ plan: OrderPlan) -> Bool {
      guard left > 0 else { return false }
      left -= 1
      let next = run(plan)
      guard !next.failures.isEmpty, next.record.swapCount < best.record.swapCount else { return false }
      best = next
      return true
    }
    var isSmaller = true
    // No order with fewer swaps fails, as all of them were tried.
    while isSmaller, best.record.swapCount > completeSwapCount + 1 {
      isSmaller =
        Self.parts(best.record).contains { isBetter(OrderPlan(choices: $0)) }
        || moves(best.record).contains { isBetter(OrderPlan(rest: .ranks($0), isDetailed: true)) }
    }
    return best
  }

  /// The prefixes of an order.
  private static func parts(_ record: OrderRecord) -> [[Int]] {
    let changed = record.choices.indices.filter { record.choices[$0] > 0 }
    return sequence(first: changed.count / 2) { $0 > 1 ? $0 / 2 : nil }.filter { $0 > 0 }
      .map { Array(record.choices[..<changed[$0]]) }
  }

  /// Orders in which one work item has moved and which have fewer swaps, those with the fewest first.
  private mutating func moves(_ record: OrderRecord) -> [[PieceName: Int]] {
    let pieces = run(OrderPlan(choices: record.choices, isDetailed: true)).record.pieces
    var result: [(swaps: Int, order: [PieceName])] = []
    var start = 0
    while start < pieces.count {
      let end = pieces[start...].firstIndex { $0.nanoseconds != pieces[start].nanoseconds } ?? pieces.count
      defer { start = end }
      let names = pieces[start..<end].map(\.name)
      var ranks: [PieceName: Int] = [:]
      for piece in pieces[start..<end] {
        for name in piece.ready where ranks[name] == nil { ranks[name] = ranks.count }
      }
      let numbers = names.map { ranks[$0] ?? 0 }
      guard numbers != numbers.sorted() else { continue }
      for from in names.indices {
        var gain = 0
        for to in stride(from: from - 1, through: 0, by: -1) {
          gain += numbers[to] > numbers[from] ? 1 : -1
          if gain > 0 { add(from, to, gain) }
        }
        gain = 0
        for to in names.indices.dropFirst(from + 1) {
          gain += numbers[to] < numbers[from] ? 1 : -1
          if gain > 0 { add(from, to, gain) }
        }
      }
      func add(_ from: Int, _ to: Int, _ gain: Int) {
        guard result.count < Self.longestShrinking else { return }
        var moved = names
        moved.insert(moved.remove(at: from), at: to)
        result.append((-gain, pieces[..<start].map(\.name) + moved + pieces[end...].map(\.name)))
      }
    }
    return result.sorted { $0.swaps < $1.swaps }.map { order in
      Dictionary(zip(order.order, 0...)) { first, _ in first }
    }
  }
}
