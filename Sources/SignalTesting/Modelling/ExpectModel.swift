public import Signals

/// Compares an operator with a reference, which maps lists of input events to the list of output events in the simplest
/// way.
///
/// Each seed creates inputs: values, ends and failures at random instants of virtual time, several at the same instant,
/// values inside subscribe, signals that send nothing, that only end, and that never end. The operator runs with them,
/// and has to deliver the result of the reference. A difference is shrunk and reported as marbles.
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
/// The reference is a pure function. Events after an end in its result are ignored. Times are in frames of a
/// millisecond: inputs have about 12 of them.
///
/// For an operator that depends on negative numbers, or on large ones, pass `values:` that include some. If it delivers
/// no value for any of them, only its ends are compared. Put a `map` in front of an operator of values of another type,
/// and in its reference:
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
///   - name: The operator's name in the message.
///   - others: The number of further inputs.
///   - inners: The number of signals that start again for every subscriber.
///   - values: The values that the inputs send, the simplest first, which shrinking prefers. A third of the seeds use
///     only the first two of them, a third the first three.
///   - seeds: One run for each. A failure names its seed.
///   - horizon: The time after which events are ignored.
///   - workLimit: The maximum number of work items in one stretch of a run.
///   - build: Creates the chain, for each run.
///   - reference: The expected output of the chain, from the events of the upstream and the further inputs.
/// - Returns: The number of runs, and the failing seed.
/// - Complexity: The cost of the operator times the number of seeds; up to 5,000 more runs for a difference.
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
  /// Its allowed positions in a chain.
  public enum Place: Sendable {
    /// Anywhere, for operators with one input that do not depend on time.
    case anywhere
    /// Not behind a time-based operator, for those with further inputs: lists do not define which of two events at the
    /// same instant comes first.
    case beforeTime
    /// A time-based operator; there is at most one in a chain, for the same reason.
    case time
  }

  let name: String
  let place: Place
  let otherCount: Int
  let build: @Sendable (Signal<Int>, ModelInputs) -> Signal<Int>
  let reference: @Sendable ([TimedEvent<Int>], ModelEvents) -> [TimedEvent<Int>]

  /// Creates a part.
  ///
  /// - Parameters:
  ///   - name: The operator's name in messages.
  ///   - place: Its allowed positions in a chain.
  ///   - others: The number of further inputs.
  ///   - build: Applies it to an upstream.
  ///   - reference: Its output, as a list.
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

/// Compares random chains of operators with the composition of their references: the output of an operator is the input
/// of the next one.
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
/// A chain has up to five operators. A chain that differs is shortened, and its inputs shrunk.
///
/// - Parameters:
///   - operators: The operators of the chains.
///   - values: The values that the inputs send, the simplest first.
///   - seeds: One chain with inputs for each.
///   - horizon: The time after which events are ignored.
///   - workLimit: The maximum number of work items in one stretch of a run.
/// - Returns: The number of runs, and the failing seed.
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
