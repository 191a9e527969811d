import OperatorCatalogue
import SignalGraph
import SignalTesting
import Signals
import Testing

/// Runs an operator and compares what it does with what it declares.
private struct BehaviorTrial {
  private let recorder = GraphRecorder()
  private let scheduler = VirtualTimeScheduler()
  private let upstream = Emitter<Int>()
  private let other = Emitter<Int>()
  private let bag = DisposeBag()
  private let kind: String

  init(_ kind: String, _ build: (Signal<Int>, OperatorInputs) -> Signal<Int>) {
    self.kind = kind
    recorder.record {
      let inputs = OperatorInputs(scheduler: scheduler, rest: .milliseconds(2), other: other.signal)
      build(upstream.signal, inputs).subscribe(onValue: { _ in }, onFailure: { _ in }).store(in: bag)
    }
  }

  /// The operator's node; nil where there is none, or several.
  private var node: Node? {
    let snapshot = recorder.snapshot()
    let definitions = snapshot.definitions.filter { $0.kind == kind }
    let nodes = snapshot.nodes.filter { $0.definition == definitions.first?.id }
    return definitions.count == 1 && nodes.count == 1 ? nodes.first : nil
  }

  /// What the operator declares.
  var behavior: OperatorBehavior? {
    node.flatMap { node in recorder.snapshot().definitions.first { $0.id == node.definition }?.behavior }
  }

  private var count: UInt64 { node?.valueCount ?? 0 }

  /// Each thing that the operator declares and does not do.
  func broken() throws -> [String] {
    guard let behavior, let node else { return [] }
    var broken: Set<String> = []
    func claim(_ claimed: OperatorBehavior, _ isKept: Bool) {
      let kept = isKept ? [] : claimed.intersection(behavior)
      broken.formUnion(kept.names)
    }
    /// Sends a value: how many come inside `send`, and how many when time passes.
    func send(_ value: Int) throws -> (inside: UInt64, later: UInt64) {
      let before = count
      upstream.send(value)
      let inside = count
      try scheduler.advance(by: .seconds(10))
      return (inside - before, count - inside)
    }
    let hasOther = recorder.snapshot().edges.filter { $0.target == node.id }.count > 1
    let first = try send(1)
    if hasOther { claim(.needsEachInput, first.inside + first.later == 0) }
    other.send(OperatorInputs.firstOfOther)
    try scheduler.advance(by: .seconds(10))
    for value in [1, 2, 3, 3, 4, -1, 5] {
      let (inside, later) = try send(value)
      claim(.passesOn, later == 0)
      claim(.atMostOne, inside <= 1)
      claim([.waitsForPause, .waitsForTime, .delays, .hops], inside == 0)
      claim([.waitsForTrigger, .emitsAtEnd], inside + later == 0)
    }
    // Nothing above it has failed so far.
    claim([.runsNoClosure, .cannotFail], self.node?.state != .failed)
    upstream.fail(CancellationError())
    try scheduler.advance(by: .seconds(10))
    claim(.replacesFailure, self.node?.state != .failed)
    return broken.sorted()
  }
}

@Suite("What operators declare") struct DeclaredBehaviorTests {
  @Test("holds, for each form of the catalogue", arguments: OperatorCatalogue.all)
  func holds(of entry: OperatorEntry) throws {
    // In some forms a scheduler or a trigger that does nothing takes away what the operator declares.
    let idle = [": immediately", ": at once", ": of itself"]
    for form in entry.forms where !idle.contains(where: form.description.hasSuffix) {
      for kind in Set([entry.name, String(entry.name.prefix { $0 != "(" })]) {
        #expect(try BehaviorTrial(kind, form.contract.build).broken() == [], "\(form)")
      }
    }
  }

  @Test func mostFormsAreTried() {
    let tried = OperatorCatalogue.all.filter { entry in
      entry.forms.contains { form in
        Set([entry.name, String(entry.name.prefix { $0 != "(" })]).contains { kind in
          BehaviorTrial(kind, form.contract.build).behavior.map { !$0.isEmpty } ?? false
        }
      }
    }
    #expect(tried.count >= 70, "\(tried.count)")
  }

  private enum Wrong: CaseIterable {
    case passesOnLater, twoForOne, waitsAndDoesNot, hopsAndDoesNot, emitsBeforeTheEnd, needsNothing, passesFailureOn
    case failsByItself

    var behavior: OperatorBehavior {
      switch self {
      case .passesOnLater: .passesOn
      case .twoForOne: .atMostOne
      case .waitsAndDoesNot: .waitsForPause
      case .hopsAndDoesNot: .hops
      case .emitsBeforeTheEnd: .emitsAtEnd
      case .needsNothing: .needsEachInput
      case .passesFailureOn: .replacesFailure
      case .failsByItself: .runsNoClosure
      }
    }
  }

  @Test("that do not hold are found", arguments: Wrong.allCases) private func wrong(_ wrong: Wrong) throws {
    let trial = BehaviorTrial("wrong") { upstream, inputs in
      let site = Site("wrong", behavior: wrong.behavior, fileID: #fileID, line: #line, function: #function)
      let source =
        switch wrong {
        case .passesOnLater: upstream.delay(for: inputs.rest, on: inputs.scheduler)
        case .needsNothing: upstream.merge(with: inputs.other)
        default: upstream
        }
      return source.lift(site, state: 0) { _, value, downstream in
        if wrong == .failsByItself { throw CancellationError() }
        try downstream.send(value)
        if wrong == .twoForOne { try downstream.send(value) }
      }
    }
    // A lifted operator has one input, so what needs several cannot be told by it.
    #expect(try trial.broken() == (wrong == .needsNothing ? [] : wrong.behavior.names))
  }
}
