import SignalTesting
import Signals

extension OperatorCatalogue {
  @Sendable private static func twice(_ values: [Int]) -> [Int] { values.flatMap { [$0, $0] } }

  /// Operators whose values are signals, and those that share one.
  static let flattening = [
    OperatorEntry(
      "flatMap", file: "Operators/FlatMap.swift",
      forms: [
        OperatorForm(passage: .copied, delivers: twice) { up, inputs in
          up.flatMap { value in
            try inputs.visit(value)
            return .sequence([value, value])
          }
        },
        OperatorForm("one at a time") { up, inputs in
          up.flatMap(maxConcurrent: 1) { value in
            try inputs.visit(value)
            return .just(value)
          }
        },
        OperatorForm(
          "the newest", passage: .some, mixesSenders: true, delivery: .partlyScheduled, load: .valuesMayBeDropped
        ) {
          up, inputs in
          up.flatMap(maxConcurrent: 1, overflow: .newest(2)) { value in
            Signal.just(value).delay(for: inputs.rest, on: inputs.scheduler)
          }
        },
        OperatorForm("later", passage: .shuffled, mixesSenders: true, delivery: .partlyScheduled) { up, inputs in
          up.flatMap { value in Signal.just(value).delay(for: inputs.rest, on: inputs.scheduler) }
        },
      ],
      chains: [
        LeakChain("flatMap, of the same source") { up, _ in up.flatMap { value in up.map { $0 + value } } },
        LeakChain("flatMap, one at a time, of the same source") { up, _ in
          up.flatMap(maxConcurrent: 1) { value in up.prefix(1).map { $0 + value } }
        },
      ],
      fixtures: [
        "flatMap": {
          try $0.source(named: "outer").flatMap(maxConcurrent: $0.integer("concurrent") ?? .max, $0.project())
        },
        "flatMap(maxConcurrent: 1)": { try $0.source(named: "outer").flatMap(maxConcurrent: 1, $0.project()) },
        "flatMap(maxConcurrent: 1), delay": { context in
          let interval = try context.milliseconds()
          return try context.source().flatMap(maxConcurrent: 1) { [scheduler = context.scheduler] value in
            .just(value).delay(for: interval, on: scheduler)
          }
        },
      ],
      diagrams: [
        #"source.flatMap { $0 == "a" ? a : b }"#: { row in
          let (source, a, b) = try (row.texts("source"), row.texts("a"), row.texts("b"))
          return shown(source.flatMap { $0 == "a" ? a : b })
        },
        #"source.flatMap(maxConcurrent: 1, overflow: .oldest(0)) { $0 == "a" ? a : b }"#: { row in
          let (source, a, b) = try (row.texts("source"), row.texts("a"), row.texts("b"))
          return shown(source.flatMap(maxConcurrent: 1, overflow: .oldest(0)) { $0 == "a" ? a : b })
        },
        #"source.flatMap(maxConcurrent: 1) { $0 == "a" ? a : b }"#: { row in
          let (source, a, b) = try (row.texts("source"), row.texts("a"), row.texts("b"))
          return shown(source.flatMap(maxConcurrent: 1) { $0 == "a" ? a : b })
        },
      ],
      costs: [
        CostSample { rig in rig.first.signal.flatMap { .just($0) }.subscribe { _ in } },
        CostSample("inner emitter") { rig in
          // The inner signal ends with the next value, or flatMap would keep more and more of them.
          rig.first.signal.flatMap { _ in rig.second.signal.prefix(untilOutputFrom: rig.first.signal) }.subscribe { _ in
          }
        },
      ]),

    OperatorEntry(
      "flatMapLatest", file: "Operators/FlatMapLatest.swift",
      forms: [
        OperatorForm(passage: .copied, delivers: twice) { up, inputs in
          up.flatMapLatest { value in
            try inputs.visit(value)
            return .sequence([value, value])
          }
        },
        OperatorForm(
          "later", passage: .some, mixesSenders: true, delivery: .partlyScheduled, load: .valuesMayBeDropped
        ) { up, inputs in
          up.flatMapLatest { value in Signal.just(value).delay(for: inputs.rest, on: inputs.scheduler) }
        },
      ],
      chains: [
        LeakChain("flatMapLatest, of the same source") { up, _ in up.flatMapLatest { value in up.map { $0 + value } } }
      ],
      fixtures: ["flatMapLatest": { try $0.source(named: "outer").flatMapLatest($0.project()) }],
      diagrams: [
        #"source.flatMapLatest { $0 == "a" ? a : b }"#: { row in
          let (source, a, b) = try (row.texts("source"), row.texts("a"), row.texts("b"))
          return shown(source.flatMapLatest { $0 == "a" ? a : b })
        }
      ],
      costs: [
        CostSample { $0.first.signal.flatMapLatest { .just($0) }.subscribe { _ in } },
        CostSample("inner emitter") { rig in
          rig.first.signal.flatMapLatest { _ in rig.second.signal }.subscribe { _ in }
        },
      ]),

    OperatorEntry(
      "share", file: "Operators/Share.swift",
      forms: [
        OperatorForm { up, _ in up.share() },
        OperatorForm(
          "with replay", exemptions: [.laterSubscriber: "a later subscriber gets the replayed values"]
        ) { up, _ in up.share(replay: 2) },
      ],
      fixtures: ["share": { try $0.source().share(replay: $0.integer("bufferSize") ?? 0) }],
      diagrams: [
        "source.share()": { row in
          let source = try row.texts("source")
          return shown(source.share())
        },
        "source.share(replay: 1)": { row in
          let source = try row.texts("source")
          return shown(source.share(replay: 1))
        },
      ],
      costs: [CostSample { $0.first.signal.share().subscribe { _ in } }]),
  ]
}
