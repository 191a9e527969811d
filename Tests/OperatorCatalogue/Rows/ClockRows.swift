import SignalTesting
import Signals
import Synchronization

extension OperatorCatalogue {
  /// Operators that ask a clock, or another signal, when to act.
  static let clocked = [
    OperatorEntry(
      "debounce(by:)", file: "Operators/DebounceBy.swift", page: "Signal/debounce(fileID:line:function:by:",
      forms: [
        OperatorForm(passage: .some, delivery: .partlyScheduled, load: .valuesMayBeDropped) { up, inputs in
          up.debounce(by: { value in
            try inputs.visit(value)
            return .timer(after: inputs.rest, on: inputs.scheduler)
          })
        },
        OperatorForm("at once") { up, _ in up.debounce(by: { value in .just(value) }) },
      ],
      fixtures: [
        "debounce(by:)": { context in
          let notifier = try context.source(named: "notifier")
          return try context.source().debounce(by: { _ in notifier })
        }
      ],
      diagrams: [
        "source.debounce(by: { _ in other })": { row in
          let (source, other) = try (row.texts("source"), row.texts("other"))
          return shown(source.debounce(by: { _ in other }))
        }
      ],
      costs: [
        CostSample(nil, .pairs) { rig in
          rig.first.signal.debounce(by: { _ in rig.second.signal }).subscribe { _ in }
        }
      ]),

    OperatorEntry(
      "throttle(for:on:edges:)", file: "Operators/ThrottleEdges.swift",
      forms: [
        OperatorForm("trailing", passage: .some, mixesSenders: true, delivery: .scheduled, load: .valuesMayBeDropped) {
          up, inputs in up.throttle(for: inputs.rest, on: inputs.scheduler, edges: .trailing)
        },
        OperatorForm("both", passage: .some, mixesSenders: true, delivery: .scheduled, load: .valuesMayBeDropped) {
          up, inputs in up.throttle(for: inputs.rest, on: inputs.scheduler, edges: [.leading, .trailing])
        },
      ],
      fixtures: [
        "throttle(for:edges:)": { context in
          var edges: ThrottleEdges = []
          if context.fixture.arguments["leading"] == .bool(true) { edges.insert(.leading) }
          if context.fixture.arguments["trailing"] == .bool(true) { edges.insert(.trailing) }
          return try context.source().throttle(for: context.milliseconds(), on: context.scheduler, edges: edges)
        }
      ],
      diagrams: [
        "source.throttle(for: .milliseconds(3), on: scheduler, edges: .leading)": { row in
          let (source, scheduler) = try (row.texts("source"), row.scheduler)
          return shown(source.throttle(for: .milliseconds(3), on: scheduler, edges: .leading))
        },
        "source.throttle(for: .milliseconds(3), on: scheduler, edges: .trailing)": { row in
          let (source, scheduler) = try (row.texts("source"), row.scheduler)
          return shown(source.throttle(for: .milliseconds(3), on: scheduler, edges: .trailing))
        },
        "source.throttle(for: .milliseconds(3), on: scheduler, edges: [.leading, .trailing])": { row in
          let (source, scheduler) = try (row.texts("source"), row.scheduler)
          return shown(source.throttle(for: .milliseconds(3), on: scheduler, edges: [.leading, .trailing]))
        },
      ],
      costs: [
        CostSample(nil, .timed) {
          $0.first.signal.throttle(for: .milliseconds(1), on: $0.scheduler, edges: .trailing).subscribe { _ in }
        }
      ]),

    OperatorEntry(
      "audit", file: "Operators/Audit.swift", page: "Signal/audit(for:",
      forms: [
        OperatorForm(passage: .some, mixesSenders: true, delivery: .scheduled, load: .valuesMayBeDropped) {
          up, inputs in up.audit(for: inputs.rest, on: inputs.scheduler)
        }
      ],
      fixtures: ["audit": { try $0.source().audit(for: $0.milliseconds(), on: $0.scheduler) }],
      diagrams: [
        "source.audit(for: .milliseconds(3), on: scheduler)": { row in
          let (source, scheduler) = try (row.texts("source"), row.scheduler)
          return shown(source.audit(for: .milliseconds(3), on: scheduler))
        }
      ],
      costs: [
        CostSample(nil, .timed) { $0.first.signal.audit(for: .milliseconds(1), on: $0.scheduler).subscribe { _ in } }
      ]),

    OperatorEntry(
      "audit(by:)", file: "Operators/Audit.swift", page: "Signal/audit(fileID:line:function:by:",
      forms: [
        OperatorForm(passage: .some, delivery: .partlyScheduled, load: .valuesMayBeDropped) { up, inputs in
          up.audit(by: { value in
            try inputs.visit(value)
            return .timer(after: inputs.rest, on: inputs.scheduler)
          })
        },
        OperatorForm("at once") { up, _ in up.audit(by: { value in .just(value) }) },
      ],
      fixtures: [
        "audit(by:)": { context in
          let notifier = try context.source(named: "notifier")
          return try context.source().audit(by: { _ in notifier })
        }
      ],
      diagrams: [
        "source.audit(by: { _ in other })": { row in
          let (source, other) = try (row.texts("source"), row.texts("other"))
          return shown(source.audit(by: { _ in other }))
        }
      ],
      costs: [
        CostSample(nil, .pairs) { rig in rig.first.signal.audit(by: { _ in rig.second.signal }).subscribe { _ in } }
      ]),

    OperatorEntry(
      "timestamp", file: "Operators/Timestamp.swift",
      forms: [OperatorForm(keepsPlace: true) { up, inputs in up.timestamp(on: inputs.scheduler).map(\.value) }],
      diagrams: [
        #"source.timestamp(on: scheduler).map { "\($0.value) at \($0.instant.sinceOrigin)" }"#: { row in
          let (source, scheduler) = try (row.texts("source"), row.scheduler)
          return shown(source.timestamp(on: scheduler).map { "\($0.value) at \($0.instant.sinceOrigin)" })
        }
      ],
      costs: [CostSample { $0.first.signal.timestamp(on: $0.scheduler).subscribe { _ in } }]),

    OperatorEntry(
      "measureInterval", file: "Operators/MeasureInterval.swift",
      forms: [
        OperatorForm(keepsPlace: true) { up, inputs in
          // The values cannot be told from the intervals: each comes along with its own.
          Signal.deferred {
            let last = LastValue()
            return up.handle { last.value = $0 }.measureInterval(on: inputs.scheduler).map { _ in last.value }
          }
        }
      ],
      diagrams: [
        "source.measureInterval(on: scheduler)": { row in
          let (source, scheduler) = try (row.texts("source"), row.scheduler)
          return shown(source.measureInterval(on: scheduler))
        }
      ],
      costs: [CostSample { $0.first.signal.measureInterval(on: $0.scheduler).subscribe { _ in } }]),

    OperatorEntry(
      "timeout(first:between:)", file: "Operators/TimeoutLimits.swift",
      forms: [
        OperatorForm("each") { up, inputs in up.timeout(first: long, between: long, on: inputs.scheduler) },
        OperatorForm("the first") { up, inputs in up.timeout(first: long, between: nil, on: inputs.scheduler) },
        OperatorForm("later ones") { up, inputs in
          up.timeout(first: nil, between: long, on: inputs.scheduler, fallback: .just(0))
        },
      ],
      fixtures: [
        "timeout(first:between:)": { context in
          func limit(_ name: String) throws -> Duration? { try context.integer(name).map { .milliseconds($0) } }
          return try context.source().timeout(
            first: limit("firstMs"), between: limit("eachMs"), on: context.scheduler,
            fallback: context.string("with").map(context.signal))
        }
      ],
      diagrams: [
        "source.timeout(first: .milliseconds(5), between: .milliseconds(4), on: scheduler)": { row in
          let (source, scheduler) = try (row.texts("source"), row.scheduler)
          return shown(source.timeout(first: .milliseconds(5), between: .milliseconds(4), on: scheduler))
        }
      ],
      costs: [
        CostSample(nil, .timed) {
          $0.first.signal.timeout(first: .seconds(9), between: .seconds(1), on: $0.scheduler).subscribe { _ in }
        }
      ]),

    OperatorEntry(
      "delayValues", file: "Operators/DelayValues.swift",
      forms: [
        OperatorForm(mixesSenders: true, delivery: .scheduled) { up, inputs in
          up.delayValues(for: inputs.rest, on: inputs.scheduler)
        }
      ],
      fixtures: ["delayValues": { try $0.source().delayValues(for: $0.milliseconds(), on: $0.scheduler) }],
      diagrams: [
        "source.delayValues(for: .milliseconds(3), on: scheduler)": { row in
          let (source, scheduler) = try (row.texts("source"), row.scheduler)
          return shown(source.delayValues(for: .milliseconds(3), on: scheduler))
        }
      ],
      costs: [
        CostSample(nil, .timed) {
          $0.first.signal.delayValues(for: .milliseconds(1), on: $0.scheduler).subscribe { _ in }
        }
      ]),

    OperatorEntry(
      "delay(by:)", file: "Operators/DelayBy.swift", page: "Signal/delay(fileID:line:function:by:",
      forms: [
        OperatorForm(passage: .shuffled, delivery: .partlyScheduled) { up, inputs in
          up.delay(by: { value in
            try inputs.visit(value)
            return .timer(after: inputs.rest, on: inputs.scheduler)
          })
        },
        OperatorForm("at once") { up, _ in up.delay(by: { value in .just(value) }) },
      ],
      diagrams: [
        #"source.delay(by: { value in value == "a" ? a : b })"#: { row in
          let (source, a, b) = try (row.texts("source"), row.texts("a"), row.texts("b"))
          return shown(source.delay(by: { value in value == "a" ? a : b }))
        }
      ],
      costs: [
        CostSample(nil, .pairs) { rig in rig.second.signal.delay(by: { _ in rig.first.signal }).subscribe { _ in } }
      ]),

    OperatorEntry(
      "retry(after:)", file: "Operators/RetryAfter.swift", page: "Signal/retry(_:after:",
      forms: [
        OperatorForm(resubscribes: true, delivery: .partlyScheduled) { up, inputs in
          up.retry(2, after: .constant(.zero), on: inputs.scheduler)
        }
      ],
      diagrams: [
        "source.retry(2, after: .exponential(first: .milliseconds(2), factor: 2), on: scheduler)": { row in
          let (source, scheduler) = try (row.texts("source"), row.scheduler)
          return shown(source.retry(2, after: .exponential(first: .milliseconds(2), factor: 2), on: scheduler))
        }
      ],
      costs: [
        CostSample(nil, .timed) {
          $0.first.signal.retry(3, after: .constant(.seconds(1)), on: $0.scheduler).subscribe { _ in }
        }
      ]),

    OperatorEntry(
      "retry(when:)", file: "Operators/RetryWhen.swift", page: "Signal/retry(fileID:line:function:when:",
      forms: [
        OperatorForm(resubscribes: true) { up, _ in
          // The second failure is passed on.
          up.retry(when: { failures in
            failures.scan(0) { count, error in if count == 1 { throw error } else { count + 1 } }
          })
        }
      ],
      diagrams: [
        "source.retry(when: { _ in other })": { row in
          let (source, other) = try (row.texts("source"), row.texts("other"))
          return shown(source.retry(when: { _ in other }))
        }
      ],
      costs: [CostSample { $0.first.signal.retry(when: { failures in failures }).subscribe { _ in } }]),

    OperatorEntry(
      "repeat", file: "Operators/Repeat.swift", page: "Signal/repeat(_:fileID:",
      forms: [OperatorForm("once") { up, _ in up.repeat(1) }],
      chains: [LeakChain("repeat, twice") { up, _ in up.repeat(2) }],
      fixtures: ["repeat": { try $0.source().repeat($0.integer("count")) }],
      diagrams: [
        "source.repeat(2)": { row in
          let source = try row.texts("source")
          return shown(source.repeat(2))
        }
      ],
      costs: [CostSample { $0.first.signal.repeat(3).subscribe { _ in } }]),

    OperatorEntry(
      "repeat(after:)", file: "Operators/Repeat.swift", page: "Signal/repeat(_:after:",
      forms: [
        OperatorForm("once") { up, inputs in up.repeat(1, after: inputs.rest, on: inputs.scheduler) }
      ],
      diagrams: [
        "source.repeat(2, after: .milliseconds(2), on: scheduler)": { row in
          let (source, scheduler) = try (row.texts("source"), row.scheduler)
          return shown(source.repeat(2, after: .milliseconds(2), on: scheduler))
        }
      ],
      costs: [
        CostSample(nil, .timed) {
          $0.first.signal.repeat(3, after: .seconds(1), on: $0.scheduler).subscribe { _ in }
        }
      ]),

    OperatorEntry(
      "receive(on:carrying:)", file: "Operators/ReceiveOnCarrying.swift",
      forms: [
        OperatorForm(mixesSenders: true, delivery: .scheduled) { up, inputs in
          up.receive(on: inputs.scheduler, carrying: Trace.$current)
        },
        OperatorForm("immediately") { up, _ in up.receive(on: .immediate, carrying: Trace.$current) },
        OperatorForm("two", mixesSenders: true, delivery: .scheduled) { up, inputs in
          up.receive(on: inputs.scheduler, carrying: Trace.$current, Trace.$user)
        },
      ],
      diagrams: [
        "source.receive(on: scheduler, carrying: Trace.$current)": { row in
          let (source, scheduler) = try (row.texts("source"), row.scheduler)
          return shown(source.receive(on: scheduler, carrying: Trace.$current))
        }
      ],
      costs: [
        CostSample(nil, .timed) {
          $0.first.signal.receive(on: $0.scheduler, carrying: Trace.$current).subscribe { _ in }
        }
      ]),
  ]

  /// Longer than any check lasts.
  private static let long = Duration.seconds(3600)
}

/// What a program may know of the work that it is about.
private enum Trace {
  @TaskLocal static var current = "none"
  @TaskLocal static var user = "nobody"
}

/// The value that is on its way. Values come one at a time (law 3).
private final class LastValue: Sendable {
  private let stored = Mutex(0)

  var value: Int {
    get { stored.withLock { $0 } }
    set { stored.withLock { $0 = newValue } }
  }
}
