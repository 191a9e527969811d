import SignalTesting
import Signals

extension OperatorCatalogue {
  /// Values that come with the end cannot be told from those that come with a value.
  private static let atTheEnd: [OperatorCheck: String] = [.delivers: "what has come is delivered at the end"]

  @Sendable private static func everySecond(_ values: [Int]) -> [Int] {
    values.enumerated().filter { $0.offset % 2 == 1 }.map(\.element)
  }

  @Sendable private static func twiceButForTheFirst(_ values: [Int]) -> [Int] {
    values.prefix(1) + values.dropFirst().flatMap { [$0, $0] }
  }

  @Sendable private static func likeTheFirst(_ values: [Int]) -> [Int] {
    values.filter { $0 % 2 == values[0] % 2 }
  }

  /// Operators that deliver several values together: as arrays, and as signals.
  static let collecting = [
    OperatorEntry(
      "collect", file: "Operators/Collect.swift",
      forms: [
        OperatorForm("all", passage: .some, exemptions: atTheEnd) { up, _ in
          up.collect().flatMap { .sequence($0) }
        },
        OperatorForm("a number", passage: .some, delivers: everySecond) { up, _ in
          up.collect(2).filter { $0.count == 2 }.map { $0[1] }
        },
        OperatorForm("overlapping", passage: .some, delivers: { Array($0.dropFirst()) }) { up, _ in
          up.collect(2, skip: 1).filter { $0.count == 2 }.map { $0[1] }
        },
        OperatorForm("for a time", mixesSenders: true, delivery: .scheduled) { up, inputs in
          up.collect(for: inputs.rest, on: inputs.scheduler).flatMap { .sequence($0) }
        },
        OperatorForm("for a time, with a limit", mixesSenders: true, delivery: .scheduled) { up, inputs in
          up.collect(for: inputs.rest, upTo: 2, on: inputs.scheduler).flatMap { .sequence($0) }
        },
        OperatorForm("by a signal", passage: .some, exemptions: atTheEnd) { up, inputs in
          up.collect(by: inputs.other).flatMap { .sequence($0) }
        },
      ],
      chains: [
        LeakChain("collect, by the same source") { up, _ in up.collect(by: up).map(\.count) }
      ],
      fixtures: [
        "collect": { try $0.source().collect().map { .array($0) } },
        "collect(_:skip:)": { context in
          try context.source().collect(
            context.required(context.integer("count"), "count"), skip: context.integer("skip")
          ).map { .array($0) }
        },
        "collect(for:upTo:on:)": { context in
          try context.source().collect(
            for: context.milliseconds(), upTo: context.integer("maxSize") ?? .max, on: context.scheduler
          ).map { .array($0) }
        },
        "collect(by:)": { try $0.source().collect(by: $0.source(named: "notifier")).map { .array($0) } },
      ],
      diagrams: [
        "source.collect()": { row in
          let source = try row.numbers("source")
          return shown(source.collect())
        },
        "source.collect(2)": { row in
          let source = try row.numbers("source")
          return shown(source.collect(2))
        },
        "source.collect(3, skip: 1)": { row in
          let source = try row.numbers("source")
          return shown(source.collect(3, skip: 1))
        },
        "source.collect(2, skip: 3)": { row in
          let source = try row.numbers("source")
          return shown(source.collect(2, skip: 3))
        },
        "source.collect(for: .milliseconds(4), on: scheduler)": { row in
          let (source, scheduler) = try (row.numbers("source"), row.scheduler)
          return shown(source.collect(for: .milliseconds(4), on: scheduler))
        },
        "source.collect(for: .milliseconds(4), upTo: 2, on: scheduler)": { row in
          let (source, scheduler) = try (row.numbers("source"), row.scheduler)
          return shown(source.collect(for: .milliseconds(4), upTo: 2, on: scheduler))
        },
        "source.collect(by: other)": { row in
          let (source, other) = try (row.numbers("source"), row.texts("other"))
          return shown(source.collect(by: other))
        },
      ],
      costs: [
        CostSample("10 values") { $0.first.signal.collect(10).subscribe { _ in } },
        CostSample("3 values, overlapping") { $0.first.signal.collect(3, skip: 1).subscribe { _ in } },
        CostSample("10 milliseconds", .timed) {
          $0.first.signal.collect(for: .milliseconds(10), on: $0.scheduler).subscribe { _ in }
        },
        CostSample("by a signal", .pairs) { $0.first.signal.collect(by: $0.second.signal).subscribe { _ in } },
      ]),

    OperatorEntry(
      "window", file: "Operators/Window.swift",
      forms: [
        OperatorForm("a number") { up, _ in up.window(2).flatMap { $0 } },
        OperatorForm("overlapping", passage: .repeated, delivers: twiceButForTheFirst) { up, _ in
          up.window(2, skip: 1).flatMap { $0 }
        },
        OperatorForm(
          "with gaps", passage: .some, delivers: { $0.enumerated().filter { $0.offset % 3 < 2 }.map(\.element) }
        ) {
          up, _ in up.window(2, skip: 3).flatMap { $0 }
        },
        OperatorForm("for a time", mixesSenders: true, delivery: .scheduled) { up, inputs in
          up.window(for: inputs.rest, on: inputs.scheduler).flatMap { $0 }
        },
        OperatorForm("for a time, with a limit", mixesSenders: true, delivery: .scheduled) { up, inputs in
          up.window(for: inputs.rest, upTo: 2, on: inputs.scheduler).flatMap { $0 }
        },
        OperatorForm("by a signal") { up, inputs in up.window(by: inputs.other).flatMap { $0 } },
      ],
      chains: [
        LeakChain("window, nobody takes one") { up, _ in up.window(2).map { _ in 0 } },
        LeakChain("window, only the first") { up, _ in up.window(2).prefix(1).flatMap { $0 } },
        LeakChain("window, the latest") { up, _ in up.window(2).flatMapLatest { $0 } },
        LeakChain("window, by the same source") { up, _ in up.window(by: up).flatMap { $0 } },
      ],
      nestedFixtures: [
        "window(_:)": { try $0.source().window($0.required($0.integer("size"), "size"), skip: $0.integer("skip")) },
        "window(for:on:)": { context in
          try context.source().window(
            for: context.milliseconds(), upTo: context.integer("maxSize") ?? .max, on: context.scheduler)
        },
        "window(by:)": { try $0.source().window(by: $0.source(named: "notifier")) },
      ],
      nestedDiagrams: [
        "source.window(2)": { row in
          let source = try row.numbers("source")
          return shown(source.window(2))
        },
        "source.window(2, skip: 1)": { row in
          let source = try row.numbers("source")
          return shown(source.window(2, skip: 1))
        },
        "source.window(for: .milliseconds(4), on: scheduler)": { row in
          let (source, scheduler) = try (row.numbers("source"), row.scheduler)
          return shown(source.window(for: .milliseconds(4), on: scheduler))
        },
        "source.window(for: .milliseconds(4), upTo: 2, on: scheduler)": { row in
          let (source, scheduler) = try (row.numbers("source"), row.scheduler)
          return shown(source.window(for: .milliseconds(4), upTo: 2, on: scheduler))
        },
        "source.window(by: other)": { row in
          let (source, other) = try (row.numbers("source"), row.texts("other"))
          return shown(source.window(by: other))
        },
      ],
      costs: [
        CostSample("10 values") { $0.first.signal.window(10).flatMap { $0 }.subscribe { _ in } },
        CostSample("10 milliseconds", .timed) {
          $0.first.signal.window(for: .milliseconds(10), on: $0.scheduler).flatMap { $0 }.subscribe { _ in }
        },
        CostSample("by a signal", .pairs) {
          $0.first.signal.window(by: $0.second.signal).flatMap { $0 }.subscribe { _ in }
        },
      ]),

    OperatorEntry(
      "grouped", file: "Operators/Grouped.swift",
      forms: [
        OperatorForm { up, inputs in
          up.grouped { value in
            try inputs.visit(value)
            return value % 2
          }.flatMap { $0.signal }
        },
        OperatorForm("one at a time") { up, _ in up.grouped(limit: 1) { $0 % 2 }.flatMap { $0.signal } },
        OperatorForm("dropping the others", passage: .some, delivers: likeTheFirst) { up, _ in
          up.grouped(limit: 1, overflow: .dropValue) { $0 % 2 }.flatMap { $0.signal }
        },
        OperatorForm("for a time", delivery: .partlyScheduled) { up, inputs in
          up.grouped(timeout: inputs.rest, on: inputs.scheduler) { value in
            try inputs.visit(value)
            return value % 2
          }.flatMap { $0.signal }
        },
      ],
      chains: [
        LeakChain("grouped, nobody takes one") { up, _ in up.grouped { $0 }.map(\.key) },
        LeakChain("grouped, only the first") { up, _ in up.grouped { $0 % 2 }.prefix(1).flatMap { $0.signal } },
        LeakChain("grouped, for a time, nobody takes one") { up, inputs in
          up.grouped(timeout: inputs.rest, on: inputs.scheduler) { $0 }.map(\.key)
        },
      ],
      nestedFixtures: [
        "grouped": { context in
          let keys = try context.required(context.table("keys"), "keys")
          return try context.source().grouped(limit: context.integer("limit") ?? .max) { keys[$0.description] }.map(
            \.signal)
        }
      ],
      nestedDiagrams: [
        "source.grouped { $0 % 2 }": { row in
          let source = try row.numbers("source")
          return shown(source.grouped { $0 % 2 })
        },
        "source.grouped(limit: 1) { $0 / 3 }": { row in
          let source = try row.numbers("source")
          return shown(source.grouped(limit: 1) { $0 / 3 })
        },
        "source.grouped(timeout: .milliseconds(3), on: scheduler) { $0 % 2 }": { row in
          let (source, scheduler) = try (row.numbers("source"), row.scheduler)
          return shown(source.grouped(timeout: .milliseconds(3), on: scheduler) { $0 % 2 })
        },
      ],
      costs: [
        CostSample("10 groups") { $0.first.signal.grouped { $0 % 10 }.flatMap { $0.signal }.subscribe { _ in } },
        CostSample("10 groups, 5 at a time") {
          $0.first.signal.grouped(limit: 5) { $0 % 10 }.flatMap { $0.signal }.subscribe { _ in }
        },
        CostSample("10 groups, for a time", .timed) {
          $0.first.signal.grouped(timeout: .seconds(1), on: $0.scheduler) { $0 % 10 }.flatMap { $0.signal }.subscribe {
            _ in
          }
        },
      ]),
  ]
}
