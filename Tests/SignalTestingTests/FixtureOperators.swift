import SignalTesting
import Signals
import Synchronization

/// How fixtures name the operators of the library, and their arguments.
enum FixtureOperators {
  static let runner = FixtureRunner(operators: table) { value, fixture in
    // The reference's own timeout error is this library's.
    guard value == .string("$timeout"), case .integer(let milliseconds) = fixture.arguments["eachMs"] else {
      return FixtureError(value)
    }
    return TimeoutError(interval: .milliseconds(milliseconds))
  }

  static let table: [String: FixtureRunner.Build] = one.merging(many) { $1 }.merging(timed) { $1 }
    .merging(sources) { $1 }

  // MARK: One input

  private static let one: [String: FixtureRunner.Build] = [
    "identity": { try $0.source() },
    "map": { context in
      let table = try context.required(context.table("table"), "table")
      let throwing = try context.throwing()
      return try context.source().map {
        try throwing(); return table[$0.description] ?? $0
      }
    },
    "compactMap": { context in
      let table = try context.required(context.table("table"), "table")
      return try context.source().compactMap { table[$0.description] }
    },
    "filter": { context in
      let keep = try Set(context.strings("keep"))
      let throwing = try context.throwing()
      return try context.source().filter {
        try throwing(); return keep.contains($0.description)
      }
    },
    "scan": { context in
      if let initial = context.fixture.arguments["initial"] { return try context.source().scan(initial, joined) }
      return try context.source().scan(joined)
    },
    "removeDuplicates": { try $0.source().removeDuplicates() },
    "dropFirst": { try $0.source().dropFirst($0.integer("count") ?? 1) },
    "prefix": { try $0.source().prefix($0.required($0.integer("count"), "count")) },
    "prefix(untilOutputFrom:)": {
      try $0.source().prefix(untilOutputFrom: $0.signal($0.required($0.string("notifier"), "notifier")))
    },
    "prepend": { try $0.source().prepend(contentsOf: $0.required($0.values("values"), "values")) },
    "handle": { try $0.source().handle { _ in } },
    "named": { try $0.source().named("a name") },
    "catch": { context in
      if let values = try context.values("replacementValues") {
        return try context.source().catch { _ in .sequence(values) }
      }
      let replacement = try context.signal(context.required(context.string("replacement"), "replacement"))
      return try context.source().catch { _ in replacement }
    },
    "retry": { try $0.source().retry($0.integer("count")) },
    "share": { try $0.source().share(replay: $0.integer("bufferSize") ?? 0) },
  ]

  // MARK: Several inputs

  private static let many: [String: FixtureRunner.Build] = [
    "merge": { try .merge($0.signals("inputs")) },
    "concat": { try .concat($0.signals("inputs")) },
    "combineLatest": { context in
      let combine = try context.combine()
      return try context.twoOrThree(
        { combineLatest($0, $1).map { combine([$0, $1]) } },
        { combineLatest($0, $1, $2).map { combine([$0, $1, $2]) } })
    },
    "zip": { context in
      let combine = try context.combine()
      return try context.twoOrThree(
        { zip($0, $1).map { combine([$0, $1]) } }, { zip($0, $1, $2).map { combine([$0, $1, $2]) } })
    },
    "withLatest(from:)": { context in
      let combine = try context.combine()
      let others = try context.signals("others")
      let others0 = others[0]
      guard let main = context.fixture.sources.last?.name else { throw context.wrong("others", "a list") }
      let source = try context.signal(main)
      return others.count == 1
        ? source.withLatest(from: others0).map { combine([$0, $1]) }
        : source.withLatest(from: others0, others[1]).map { combine([$0, $1, $2]) }
    },
    "flatMap": { try $0.source(named: "outer").flatMap(maxConcurrent: $0.integer("concurrent") ?? .max, $0.project()) },
    "flatMap(maxConcurrent: 1)": { try $0.source(named: "outer").flatMap(maxConcurrent: 1, $0.project()) },
    "flatMap(maxConcurrent: 1), delay": { context in
      let interval = try context.milliseconds()
      return try context.source().flatMap(maxConcurrent: 1) { [scheduler = context.scheduler] value in
        .just(value).delay(for: interval, on: scheduler)
      }
    },
    "flatMapLatest": { try $0.source(named: "outer").flatMapLatest($0.project()) },
  ]

  // MARK: Time

  private static let timed: [String: FixtureRunner.Build] = [
    "debounce": { try $0.source().debounce(for: $0.milliseconds(), on: $0.scheduler) },
    "delay": { try $0.source().delay(for: $0.milliseconds(), on: $0.scheduler) },
    "receive(on:)": { try $0.source().receive(on: $0.scheduler) },
    "throttle(for:latest:)": { context in
      guard context.fixture.arguments["leading"] != .bool(false) else { throw context.wrong("leading", "true") }
      return try context.source().throttle(
        for: context.milliseconds(), on: context.scheduler, latest: context.fixture.arguments["trailing"] == .bool(true)
      )
    },
    "timeout": { context in
      try context.source().timeout(
        after: context.milliseconds("eachMs"), on: context.scheduler,
        fallback: context.string("with").map(context.signal))
    },
    "timer": { context in
      guard let period = try context.integer("periodMs") else {
        return try Signal.timer(after: context.milliseconds("dueMs"), on: context.scheduler).map { .string("tick") }
      }
      return try Signal.interval(
        every: .milliseconds(period), on: context.scheduler, after: context.milliseconds("dueMs")
      ).prefix(context.required(context.integer("take"), "take")).map(FixtureValue.integer)
    },
    "interval": { context in
      try Signal.interval(every: context.milliseconds(), on: context.scheduler).map(FixtureValue.integer)
    },
  ]

  // MARK: Sources

  private static let sources: [String: FixtureRunner.Build] = [
    "just": { try .just($0.required($0.fixture.arguments["value"], "value")) },
    "fail": { try .fail(FixtureError($0.required($0.fixture.arguments["error"], "error"))) },
    "empty": { _ in .empty() },
    "never": { _ in .never() },
    "sequence": { try .sequence($0.required($0.values("values"), "values")) },
    "deferred": { context in
      let source = try context.source()
      return .deferred { source }
    },
  ]

  @Sendable private static func joined(_ left: FixtureValue, _ right: FixtureValue) -> FixtureValue {
    .string(left.description + right.description)
  }
}

extension FixtureContext {
  func required<Value>(_ value: Value?, _ argument: String) throws -> Value {
    guard let value else { throw wrong(argument, "which this operator cannot do without") }
    return value
  }

  func source(named argument: String) throws -> Signal<FixtureValue> {
    try signal(required(string(argument), argument))
  }

  /// Throws at a certain call, if the case says so.
  func throwing() throws -> @Sendable () throws -> Void {
    guard let number = try integer("throwOnCall") else { return {} }
    let error = FixtureError(fixture.arguments["throwValue"] ?? .string("error"))
    let calls = Counter()
    return { if calls.next() == number { throw error } }
  }

  /// What makes one value of several.
  func combine() throws -> @Sendable ([FixtureValue]) -> FixtureValue {
    switch try string("combine") {
    case "array": { .array($0) }
    case "concatStrings": { .string($0.map(\.description).joined()) }
    default: throw wrong("combine", "\"array\" or \"concatStrings\"")
    }
  }

  func twoOrThree(
    _ two: (Signal<FixtureValue>, Signal<FixtureValue>) -> Signal<FixtureValue>,
    _ three: (Signal<FixtureValue>, Signal<FixtureValue>, Signal<FixtureValue>) -> Signal<FixtureValue>
  ) throws -> Signal<FixtureValue> {
    let inputs = try signals("inputs")
    switch inputs.count {
    case 2: return two(inputs[0], inputs[1])
    case 3: return three(inputs[0], inputs[1], inputs[2])
    default: throw wrong("inputs", "a list of two or three sources")
    }
  }

  /// The inner signal of each outer value; `*` stands for all values.
  func project() throws -> @Sendable (FixtureValue) throws -> Signal<FixtureValue> {
    let signals = try required(table("project"), "project").mapValues { try signal($0.description) }
    return { value in
      guard let signal = signals[value.description] ?? signals["*"] else {
        throw FixtureArgumentError("project has no source for \(value.json)")
      }
      return signal
    }
  }
}

private final class Counter: Sendable {
  private let count = Mutex(0)

  func next() -> Int {
    count.withLock { count in
      count += 1
      return count
    }
  }
}
