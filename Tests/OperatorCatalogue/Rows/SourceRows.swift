import SignalTesting
import Signals

extension OperatorCatalogue {
  /// Signals that have no upstream. Where one can stand behind another signal, it goes through the laws too.
  static let sources = [
    OperatorEntry(
      "Emitter", .source, file: "Core/API/Emitter.swift", page: "Emitter"),

    OperatorEntry(
      "Property", .source, file: "Core/API/Property.swift", page: "Property",
      costs: [
        CostSample("signal", .none) { _ in Property(1).signal.subscribe { _ in } },
        CostSample("changes", .none) { _ in Property(1).changes.subscribe { _ in } },
      ]),

    OperatorEntry(
      "Signal", .source, file: "Core/API/Producer.swift", page: "Signal/init(",
      forms: [
        OperatorForm(
          "of a producer",
          exemptions: [
            .endlessAtOnce: "its subscription to the upstream is there only once everything that comes at once has come"
          ]
        ) { up, _ in
          Signal { producer in
            producer.own(
              up.subscribe(
                onValue: { producer.send($0) }, onFailure: { producer.fail($0) }, onFinish: { producer.finish() }))
          }
        }
      ],
      costs: [CostSample("of a producer", .none) { _ in Signal<Int> { $0.send(1) }.subscribe { _ in } }]),

    OperatorEntry(
      "just", .source, file: "Sources/Just.swift",
      chains: [LeakChain("just, inside flatMap") { up, _ in up.flatMap { .just($0) } }],
      fixtures: ["just": { try .just($0.required($0.fixture.arguments["value"], "value")) }],
      diagrams: [
        #"Signal.just("a")"#: { _ in shown(Signal.just("a")) }
      ],
      costs: [CostSample(nil, .none) { _ in Signal.just(1).subscribe { _ in } }]),

    OperatorEntry(
      "empty", .source, file: "Sources/Just.swift",
      fixtures: ["empty": { _ in .empty() }],
      diagrams: [
        "Signal<String>.empty()": { _ in shown(Signal<String>.empty()) }
      ],
      costs: [CostSample(nil, .none) { _ in Signal<Int>.empty().subscribe { _ in } }]),

    OperatorEntry(
      "never", .source, file: "Sources/Just.swift",
      chains: [LeakChain("never, merged") { up, _ in up.merge(with: .never()) }],
      fixtures: ["never": { _ in .never() }],
      diagrams: [
        "Signal<String>.never()": { _ in shown(Signal<String>.never()) }
      ],
      costs: [CostSample(nil, .none) { _ in Signal<Int>.never().subscribe { _ in } }]),

    OperatorEntry(
      "fail", .source, file: "Sources/Just.swift",
      fixtures: ["fail": { try .fail(FixtureError($0.required($0.fixture.arguments["error"], "error"))) }],
      diagrams: [
        "Signal<String>.fail(error)": { _ in
          let error = FixtureError(.string("error"))
          return shown(Signal<String>.fail(error))
        }
      ],
      costs: [CostSample(nil, .none) { _ in Signal<Int>.fail(Refusal()).subscribe { _ in } }]),

    OperatorEntry(
      "sequence", .source, file: "Sources/Sequence.swift",
      chains: [LeakChain("sequence", endsAtOnce: true) { _, _ in .sequence(0...).prefix(3) }],
      fixtures: ["sequence": { try .sequence($0.required($0.values("values"), "values")) }],
      diagrams: [
        "Signal.sequence(1...3)": { _ in shown(Signal.sequence(1...3)) }
      ],
      costs: [CostSample(nil, .none) { _ in Signal.sequence(0..<10).subscribe { _ in } }]),

    OperatorEntry(
      "deferred", .source, file: "Sources/Deferred.swift",
      forms: [OperatorForm { up, _ in .deferred { up } }],
      fixtures: [
        "deferred": { context in
          let source = try context.source()
          return .deferred { source }
        }
      ],
      diagrams: [
        "Signal.deferred { source }": { row in
          let source = try row.texts("source")
          return shown(Signal.deferred { source })
        }
      ],
      costs: [CostSample { rig in Signal.deferred { rig.first.signal }.subscribe { _ in } }]),

    OperatorEntry(
      "timer", .source, file: "Sources/Timer.swift",
      chains: [
        LeakChain("timer, merged") { up, inputs in
          up.merge(with: Signal.timer(after: .seconds(1), on: inputs.scheduler).map { 1 })
        }
      ],
      fixtures: [
        "timer": { context in
          guard let period = try context.integer("periodMs") else {
            return try Signal.timer(after: context.milliseconds("dueMs"), on: context.scheduler).map { .string("tick") }
          }
          return try Signal.interval(
            every: .milliseconds(period), on: context.scheduler, after: context.milliseconds("dueMs")
          ).prefix(context.required(context.integer("take"), "take")).map(FixtureValue.integer)
        }
      ],
      diagrams: [
        "Signal.timer(after: .milliseconds(4), on: scheduler)": { row in
          let scheduler = row.scheduler
          return shown(Signal.timer(after: .milliseconds(4), on: scheduler))
        }
      ],
      costs: [CostSample(nil, .none) { Signal.timer(after: .seconds(1), on: $0.scheduler).subscribe { _ in } }]),

    OperatorEntry(
      "interval", .source, file: "Sources/Timer.swift",
      chains: [
        LeakChain("interval, merged") { up, inputs in
          up.merge(with: .interval(every: .milliseconds(100), on: inputs.scheduler))
        }
      ],
      fixtures: [
        "interval": { try Signal.interval(every: $0.milliseconds(), on: $0.scheduler).map(FixtureValue.integer) }
      ],
      diagrams: [
        "Signal.interval(every: .milliseconds(2), on: scheduler)": { row in
          let scheduler = row.scheduler
          return shown(Signal.interval(every: .milliseconds(2), on: scheduler))
        }
      ],
      costs: [
        CostSample(nil, .timeAlone) {
          Signal.interval(every: .milliseconds(1), on: $0.scheduler).subscribe { _ in }
        }
      ]),
  ]

  private struct Refusal: Error {}
}
