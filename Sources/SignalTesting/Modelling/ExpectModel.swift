public import Signals

/// Compares an operator with a reference that says the same in the simplest way: with what list of events it answers lists of events.
///
/// Each seed makes inputs: values, ends and failures at random moments of virtual time, several at the same instant, values inside subscribe, signals
/// that send nothing, that only end, and that never end. The operator runs with them, and has to deliver what the reference returns. What differs is made as
/// small as possible and told as marbles.
///
/// ```swift
/// extension Signal where Value == Int {
///   func doubled() -> Signal<Int> { map { $0 * 2 } }
/// }
///
/// @Test func doublesAsItsModelDoes() {
///   expectModel(of: "doubled") { upstream, _ in
///     upstream.doubled()
///   } reference: { events, _ in
///     events.replacingValues { [$0 * 2] }
///   }
/// }
/// ```
///
/// The reference is a pure function. What it returns after an end does not count. Times are in frames of a millisecond: inputs have about 12 of them.
///
/// An operator that does something only with negative numbers, or with large ones, gets `values:` that have some. Where it has no value for any of them, only its
/// ends are compared. An operator of values of another type
/// is put behind a `map`, and its reference takes the same:
///
/// ```swift
/// @Test func trimsAsItsModelDoes() {
///   let words = ["", " ", "a", " a", "a b "]
///   expectModel(of: "trimmed", values: words.indices) { upstream, _ in
///     upstream.map { words[$0] }.map { $0.filter { $0 != " " } }
///   } reference: { events, _ in
///     events.replacingValues { [words[$0].split(separator: " ").joined()] }
///   }
/// }
/// ```
///
/// - Parameters:
///   - name: How the message calls the operator.
///   - others: How many further inputs there are.
///   - inners: How many signals there are that start again for every subscriber.
///   - values: What the inputs send, the simplest first: what is told prefers those. A third of the seeds use only the first two of them, a third the
///     first three.
///   - seeds: One run for each. A failure names its own.
///   - horizon: Until when events count.
///   - workLimit: How many work items may run in one stretch before a run fails.
///   - build: Makes the chain, for each run.
///   - reference: What the chain has to deliver, of the events of the upstream and the further inputs.
/// - Returns: How many runs there were, and which seed failed.
/// - Complexity: The cost of the operator times the number of seeds; up to 5,000 runs more when one differs.
@discardableResult
public func expectModel<Output: Sendable & Equatable>(
  of name: String, others: Int = 0, inners: Int = 0, values: some Collection<Int> = 0...9,
  seeds: ClosedRange<UInt64> = 0...199,
  horizon: Duration = .milliseconds(100), workLimit: Int = 100_000,
  fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column,
  _ build: (_ upstream: Signal<Int>, _ inputs: ModelInputs) throws -> Signal<Output>,
  reference: (_ events: [TimedEvent<Int>], _ inputs: ModelEvents) -> [TimedEvent<Output>]
) -> ModelRuns {
  withoutActuallyEscaping(build) { build in
    withoutActuallyEscaping(reference) { reference in
      let subject = ModelSubject(
        name: name, otherCount: max(0, others), innerCount: max(0, inners), build: build, reference: reference)
      let settings = ModelSettings(
        call: "expectModel(of: \(ShownValue.quoted(name)), …", seeds: seeds, horizon: horizon, workLimit: workLimit,
        values: Array(values), place: CompiledPlace(fileID: fileID, filePath: filePath, line: line, column: column))
      return ModelSearch(settings: settings, subject: { _ in subject }, stages: { _ in [] }, removing: { _, _ in nil })
        .run()
    }
  }
}

/// An operator with its reference, as a part of random chains; see
/// ``expectModel(ofChainsOf:values:seeds:horizon:workLimit:fileID:filePath:line:column:)``.
public struct ModelOperator: Sendable {
  /// Where in a chain it may stand.
  public enum Place: Sendable {
    /// Anywhere, for operators with one input that know nothing of time.
    case anywhere
    /// Not behind an operator of time, for those with further inputs: lists do not say which of two events at the same instant comes first.
    case beforeTime
    /// An operator of time; there is at most one in a chain, for the same reason.
    case time
  }

  let name: String
  let place: Place
  let otherCount: Int
  let build: @Sendable (Signal<Int>, ModelInputs) -> Signal<Int>
  let reference: @Sendable ([TimedEvent<Int>], ModelEvents) -> [TimedEvent<Int>]

  /// Makes a part.
  ///
  /// - Parameters:
  ///   - name: How messages call it.
  ///   - place: Where in a chain it may stand.
  ///   - others: How many further inputs it has.
  ///   - build: Makes it on an upstream.
  ///   - reference: What it delivers, as lists.
  public init(
    _ name: String, place: Place = .anywhere, others: Int = 0,
    _ build: @escaping @Sendable (_ upstream: Signal<Int>, _ inputs: ModelInputs) -> Signal<Int>,
    reference: @escaping @Sendable (_ events: [TimedEvent<Int>], _ inputs: ModelEvents) -> [TimedEvent<Int>]
  ) {
    self.name = name
    self.place = place
    otherCount = max(0, others)
    self.build = build
    self.reference = reference
  }
}

/// Compares random chains of operators with their references, one behind the other: what an operator delivers is what the next one gets.
///
/// ```swift
/// let odd = ModelOperator("odd") { upstream, _ in
///   upstream.filter { $0 % 2 == 1 }
/// } reference: { events, _ in
///   events.replacingValues { $0 % 2 == 1 ? [$0] : [] }
/// }
/// let sums = ModelOperator("sums") { upstream, _ in
///   upstream.scan(0, +)
/// } reference: { events, _ in
///   var sum = 0
///   return events.replacingValues { value in
///     sum += value
///     return [sum]
///   }
/// }
///
/// @Test func chainsAreWhatTheirPartsAre() {
///   expectModel(ofChainsOf: [odd, sums])
/// }
/// ```
///
/// A chain has up to five operators. One that differs is made shorter, and its inputs smaller.
///
/// - Parameters:
///   - operators: What chains are made of.
///   - values: What the inputs send, the simplest first.
///   - seeds: One chain with inputs for each.
///   - horizon: Until when events count.
///   - workLimit: How many work items may run in one stretch before a run fails.
/// - Returns: How many runs there were, and which seed failed.
@discardableResult
public func expectModel(
  ofChainsOf operators: [ModelOperator], values: some Collection<Int> = 0...9,
  seeds: ClosedRange<UInt64> = 0...499,
  horizon: Duration = .milliseconds(100), workLimit: Int = 100_000,
  fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
) -> ModelRuns {
  let settings = ModelSettings(
    call: "expectModel(ofChainsOf: …", seeds: seeds, horizon: horizon, workLimit: workLimit,
    values: Array(values), place: CompiledPlace(fileID: fileID, filePath: filePath, line: line, column: column))
  guard !operators.isEmpty else {
    report("There are no operators to build chains from.", at: settings.place.source)
    return ModelRuns(runCount: 0)
  }
  let chains = ModelChains(operators: operators)
  return ModelSearch(
    settings: settings, subject: chains.subject(of:), stages: chains.stages(seed:),
    removing: { candidate, index in
      chains.removing(index, from: candidate.stages, candidate.plan).map { .init(stages: $0, plan: $1) }
    }
  ).run()
}
