import Signals
import Testing

@testable import SignalTesting

/// Every model finds an operator that does something else, most often what a neighbour of it does.
@Suite struct PlantedLibraryBugTests {
  typealias Build = @Sendable (Signal<Int>, ModelInputs) -> Signal<Int>

  private static let values: [(String, Build)] = [
    ("compacted", { up, _ in up.map { $0 % 2 == 0 ? nil : $0 }.removeDuplicates().compacted() }),
    ("mapError", { up, _ in up }),
    ("assertNoFailure", { up, _ in up.replaceError(with: 5) }),
    ("handle", { up, _ in up.handle { _ in } }),
    ("breakpoint", { up, _ in up.handle { if $0 == 2 { throw MarbleFailure() } } }),
    ("named", { up, _ in up.removeDuplicates() }),
    ("print", { up, _ in up.removeDuplicates() }),
    ("deferred", { up, _ in .deferred { up.removeDuplicates() } }),
    (
      "lift", { up, _ in up.lift(ValueModels.ownSite, state: 0) { _, value, downstream in try downstream.send(value) } }
    ),
    ("lift(_:stateless:)", { up, _ in up.lift(ValueModels.ownSite, stateless: { $0 / 2 }) }),
    ("unsafeLift", { up, _ in up.map { $0 + 1 } }),
    ("removeDuplicates(by: key path)", { up, _ in up.removeDuplicates() }),
  ]

  private static let inputs: [(String, Build)] = [
    ("merge, of an array", { up, inputs in merge([up, inputs.others[0]]) }),
    ("race, of an array", { up, inputs in merge([up] + inputs.others) }),
    ("combineLatest([])", { up, inputs in zip([up] + inputs.others).map { ArrayModels.number($0) } }),
    ("latestValues(of:)", { up, inputs in combineLatest(inputs.others + [up]).map { ArrayModels.number($0) } }),
    (
      "allSatisfy([])",
      { up, inputs in anySatisfy(([up] + inputs.others).map { $0.map { $0 % 2 == 0 } }).map { $0 ? 1 : 0 } }
    ),
    (
      "anySatisfy([])",
      { up, inputs in allSatisfy(([up] + inputs.others).map { $0.map { $0 % 2 == 0 } }).map { $0 ? 1 : 0 } }
    ),
    ("zip([])", { up, inputs in combineLatest([up] + inputs.others).map { ArrayModels.number($0) } }),
    ("forkJoin([])", { up, inputs in zip([up] + inputs.others).last().map { ArrayModels.number($0) } }),
    ("buffer, all", { up, inputs in up.buffer(while: inputs.others[0].map { $0 % 2 == 1 }, overflow: .newest(2)) }),
    ("buffer, newest", { up, inputs in up.buffer(while: inputs.others[0].map { $0 % 2 == 1 }, overflow: .oldest(1)) }),
    ("buffer, oldest", { up, inputs in up.buffer(while: inputs.others[0].map { $0 % 2 == 1 }, overflow: .newest(1)) }),
    ("buffer, fail", { up, inputs in up.buffer(while: inputs.others[0].map { $0 % 2 == 1 }) }),
    ("share, replaying 0", { up, inputs in SharingModels.twice(up.share(replay: 1), inputs) }),
    ("share, replaying 2", { up, inputs in SharingModels.twice(up.share(replay: 2, keepsRunning: true), inputs) }),
    ("share(replay:keepsRunning:), replaying 0", { up, inputs in SharingModels.twice(up.share(), inputs) }),
    (
      "share(replay:keepsRunning:), replaying 2",
      { up, inputs in SharingModels.twice(up.share(replay: 1, keepsRunning: true), inputs) }
    ),
    ("multicast and autoconnect, replaying 0", { up, inputs in SharingModels.twice(up.share(), inputs) }),
    ("multicast and autoconnect, replaying 2", { up, inputs in SharingModels.twice(up, inputs) }),
    ("autoconnect, after two", { up, inputs in SharingModels.twice(up.multicast().autoconnect(), inputs) }),
  ]

  private static let grouping: [(String, Build)] = [
    ("collect, 1 skipping 1", { up, _ in up.collect(2).map { GroupingModels.number($0) } }),
    ("collect, 2 skipping 2", { up, _ in up.collect(2, skip: 1).map { GroupingModels.number($0) } }),
    ("collect, 3 skipping 1", { up, _ in up.collect(3).map { GroupingModels.number($0) } }),
    ("collect, 2 skipping 3", { up, _ in up.collect(2).map { GroupingModels.number($0) } }),
    (
      "collect, by",
      { up, inputs in
        up.window(by: inputs.others[0]).flatMap { $0.collect() }.dropFirst().map { GroupingModels.number($0) }
      }
    ),
    (
      "collect, for, 2",
      { up, inputs in up.collect(for: .milliseconds(3), on: inputs.scheduler).map { GroupingModels.number($0) } }
    ),
    (
      "collect, for, \(Int.max)",
      { up, inputs in up.collect(for: .milliseconds(4), on: inputs.scheduler).map { GroupingModels.number($0) } }
    ),
    ("window, 1 skipping 1", { up, _ in GroupingModels.shown(up.window(2)) }),
    ("window, 2 skipping 2", { up, _ in GroupingModels.shown(up.window(2, skip: 1)) }),
    ("window, 3 skipping 1", { up, _ in GroupingModels.shown(up.window(3)) }),
    ("window, 2 skipping 3", { up, _ in GroupingModels.shown(up.window(2)) }),
    ("window, by", { up, inputs in GroupingModels.shown(up.window(by: inputs.others[0].dropFirst())) }),
    ("window, for, 2", { up, inputs in GroupingModels.shown(up.window(for: .milliseconds(3), on: inputs.scheduler)) }),
    (
      "window, for, \(Int.max)",
      { up, inputs in GroupingModels.shown(up.window(for: .milliseconds(3), upTo: 3, on: inputs.scheduler)) }
    ),
    (
      "grouped, up to 1",
      { up, _ in up.grouped(limit: 2) { $0 % 3 }.flatMap { GroupingModels.shown($0.signal, $0.key) } }
    ),
    (
      "grouped, up to 2",
      { up, _ in
        up.grouped(limit: 2, overflow: .dropValue) { $0 % 3 }.flatMap { GroupingModels.shown($0.signal, $0.key) }
      }
    ),
    ("grouped, up to 10", { up, _ in up.grouped { $0 % 2 }.flatMap { GroupingModels.shown($0.signal, $0.key) } }),
    (
      "grouped, until too many",
      { up, _ in up.grouped(limit: 2) { $0 % 3 }.flatMap { GroupingModels.shown($0.signal, $0.key) } }
    ),
    (
      "grouped, with a time-out", { up, _ in up.grouped { $0 % 3 }.flatMap { GroupingModels.shown($0.signal, $0.key) } }
    ),
  ]

  private static let flattening: [(String, Build)] = [
    ("flatMap", { up, inputs in up.concatMap(inputs.inner) }),
    ("flatMap, two at a time", { up, inputs in up.flatMap(maxConcurrent: 3, inputs.inner) }),
    ("flatten", { up, inputs in up.map(inputs.inner).flatten(maxConcurrent: 2) }),
    ("concatMap", { up, inputs in up.exhaustMap(inputs.inner) }),
    ("exhaustMap", { up, inputs in up.flatMapLatest(inputs.inner) }),
    ("flatMapLatest", { up, inputs in up.flatMap(inputs.inner) }),
    ("switchToLatest", { up, inputs in up.map(inputs.inner).flatten() }),
    ("expand, up to 1", { up, inputs in expanded(up, inputs, upTo: 2) }),
    ("expand, up to 2", { up, inputs in expanded(up, inputs, upTo: .max) }),
    ("expand, up to \(Int.max)", { up, inputs in expanded(up, inputs, upTo: 3) }),
    (
      "delay(by:)",
      { up, inputs in up.concatMap { [inner = inputs.inner] value in inner(value).prefix(1).map { _ in value } } }
    ),
    (
      "debounce(by:)",
      { up, inputs in up.flatMapLatest { [inner = inputs.inner] value in inner(value).prefix(1).map { _ in value } } }
    ),
    ("audit(by:)", { up, inputs in up.throttle(edges: .trailing, by: inputs.inner) }),
    (
      "throttle(by:), leading",
      { up, inputs in up.exhaustMap { [inner = inputs.inner] value in inner(value).ignoreValues().prepend(value) } }
    ),
    ("throttle(by:), trailing", { up, inputs in up.audit(by: inputs.inner) }),
    ("throttle(by:), both", { up, inputs in up.throttle(by: inputs.inner) }),
    ("throttle(by:), none", { up, inputs in up.throttle(by: inputs.inner) }),
    ("retry", { _, inputs in inputs.inners[0].retry(1) }),
    ("repeat", { _, inputs in inputs.inners[0].repeat(2) }),
    (
      "retry(after:)",
      { _, inputs in inputs.inners[0].retry(2, after: .constant(.milliseconds(2)), on: inputs.scheduler) }
    ),
    ("repeat(after:)", { _, inputs in inputs.inners[0].repeat(3) }),
    (
      "retry(when:)",
      { _, inputs in inputs.inners[0].retry(2, after: .constant(.milliseconds(3)), on: inputs.scheduler) }
    ),
  ]

  private static let timed: [(String, Build)] = [
    (
      "throttle(for:on:edges:), both",
      { up, inputs in up.throttle(for: .milliseconds(3), on: inputs.scheduler, edges: .leading) }
    ),
    ("throttle(for:on:edges:), trailing", { up, inputs in up.audit(for: .milliseconds(3), on: inputs.scheduler) }),
    (
      "throttle(for:on:edges:), none",
      { up, inputs in up.throttle(for: .milliseconds(3), on: inputs.scheduler, edges: .leading) }
    ),
    ("receive(on:carrying:)", { up, inputs in up.receive(on: inputs.scheduler).map { $0 * 10 + PlaceModels.number } }),
    ("prefix(duringLifetimeOf:)", { up, _ in up }),
    ("timestamp", { up, inputs in up.timestamp(on: VirtualTimeScheduler()).map { $0.value } }),
    (
      "measureInterval",
      { up, inputs in up.timestamp(on: inputs.scheduler).map { Int($0.instant.sinceOrigin / .milliseconds(1)) } }
    ),
    (
      "timeout(first:between:)",
      { up, inputs in up.timeout(after: .milliseconds(5), on: inputs.scheduler).mapError { _ in MarbleFailure() } }
    ),
    (
      "timeout, with a fallback",
      { up, inputs in up.timeout(after: .milliseconds(3), on: inputs.scheduler, fallback: .empty()) }
    ),
    ("subscribed(on:)", { _, inputs in inputs.inners[0] }),
    (
      "mapAsync, as they come",
      { up, inputs in up.mapAsync(maxConcurrent: .max, executor: inputs.scheduler, PlaceModels.working(inputs)) }
    ),
    (
      "mapAsync, 1 at a time",
      { up, inputs in up.mapAsync(maxConcurrent: 2, executor: inputs.scheduler, PlaceModels.working(inputs)) }
    ),
    (
      "mapAsync, 2 at a time",
      { up, inputs in
        up.mapAsync(maxConcurrent: 2, keepsOrder: false, executor: inputs.scheduler, PlaceModels.working(inputs))
      }
    ),
  ]

  private static let all = values + inputs + grouping + flattening + timed

  private static func expanded(_ upstream: Signal<Int>, _ inputs: ModelInputs, upTo limit: Int) -> Signal<Int> {
    upstream.expand(maxConcurrent: limit) { [inner = inputs.inner] value in
      value < 8 ? inner(value).map { 2 * value + 1 + $0 } : .empty()
    }
  }

  @Test(arguments: all.indices) func whatAnotherOperatorDoesIsFound(index: Int) throws {
    let (name, broken) = Self.all[index]
    let model = try #require(LibraryModelTests.all.first { $0.name == name })
    #expect(isFound(model, broken))
  }

  /// But for what ends at once: an end that is lost is made up for by the one behind it.
  @Test(arguments: LibraryModelTests.all.filter { $0.name != "prefix, 0" })
  func aFirstEventThatIsLostIsFound(model: LibraryModel) {
    #expect(isFound(model) { model.build($0, $1).materialize().dropFirst().dematerialize() })
  }

  private func isFound(_ model: LibraryModel, _ broken: @escaping Build) -> Bool {
    var seed: UInt64?
    let failures = heldFailures { seed = model.check(broken).failingSeed }
    return seed != nil && failures.count == 1
      && failures[0].message.contains("\(model.name) differs from its reference")
  }
}
