import SignalTesting
import Signals

extension OperatorCatalogue {
  /// Operators of time.
  static let timed = [
    OperatorEntry(
      "delay", file: "Operators/Delay.swift",
      forms: [
        OperatorForm(mixesSenders: true, delivery: .scheduled) { up, inputs in
          up.delay(for: inputs.rest, on: inputs.scheduler)
        }
      ],
      fixtures: ["delay": { try $0.source().delay(for: $0.milliseconds(), on: $0.scheduler) }],
      diagrams: [
        "source.delay(for: .milliseconds(3), on: scheduler)": { row in
          let (source, scheduler) = try (row.texts("source"), row.scheduler)
          return shown(source.delay(for: .milliseconds(3), on: scheduler))
        }
      ],
      costs: [
        CostSample(nil, .timed) { $0.first.signal.delay(for: .milliseconds(1), on: $0.scheduler).subscribe { _ in } }
      ]),

    OperatorEntry(
      "debounce", file: "Operators/Debounce.swift",
      forms: [
        OperatorForm(passage: .some, mixesSenders: true, delivery: .scheduled, load: .valuesMayBeDropped) {
          up, inputs in
          up.debounce(for: inputs.rest, on: inputs.scheduler)
        }
      ],
      fixtures: ["debounce": { try $0.source().debounce(for: $0.milliseconds(), on: $0.scheduler) }],
      diagrams: [
        "source.debounce(for: .milliseconds(3), on: scheduler)": { row in
          let (source, scheduler) = try (row.texts("source"), row.scheduler)
          return shown(source.debounce(for: .milliseconds(3), on: scheduler))
        }
      ],
      costs: [
        CostSample(nil, .timed) { $0.first.signal.debounce(for: .milliseconds(1), on: $0.scheduler).subscribe { _ in } }
      ]),

    OperatorEntry(
      "throttle", file: "Operators/Throttle.swift",
      forms: [
        OperatorForm("latest", passage: .some, mixesSenders: true, delivery: .scheduled, load: .valuesMayBeDropped) {
          up, inputs in up.throttle(for: inputs.rest, on: inputs.scheduler, latest: true)
        },
        OperatorForm("first", passage: .some, mixesSenders: true, delivery: .scheduled, load: .valuesMayBeDropped) {
          up, inputs in up.throttle(for: inputs.rest, on: inputs.scheduler, latest: false)
        },
      ],
      fixtures: [
        "throttle(for:latest:)": { context in
          guard context.fixture.arguments["leading"] != .bool(false) else { throw context.wrong("leading", "true") }
          return try context.source().throttle(
            for: context.milliseconds(), on: context.scheduler,
            latest: context.fixture.arguments["trailing"] == .bool(true))
        }
      ],
      diagrams: [
        "source.throttle(for: .milliseconds(3), on: scheduler, latest: false)": { row in
          let (source, scheduler) = try (row.texts("source"), row.scheduler)
          return shown(source.throttle(for: .milliseconds(3), on: scheduler, latest: false))
        },
        "source.throttle(for: .milliseconds(3), on: scheduler, latest: true)": { row in
          let (source, scheduler) = try (row.texts("source"), row.scheduler)
          return shown(source.throttle(for: .milliseconds(3), on: scheduler, latest: true))
        },
      ],
      costs: [
        CostSample(nil, .timed) {
          $0.first.signal.throttle(for: .milliseconds(1), on: $0.scheduler, latest: true).subscribe { _ in }
        }
      ]),

    OperatorEntry(
      "timeout", file: "Operators/Timeout.swift",
      forms: [
        OperatorForm { up, inputs in up.timeout(after: neverReached, on: inputs.scheduler) },
        OperatorForm("with a fallback") { up, inputs in
          up.timeout(after: neverReached, on: inputs.scheduler, fallback: .just(0))
        },
      ],
      fixtures: [
        "timeout": { context in
          try context.source().timeout(
            after: context.milliseconds("eachMs"), on: context.scheduler,
            fallback: context.string("with").map(context.signal))
        }
      ],
      diagrams: [
        "source.timeout(after: .milliseconds(4), on: scheduler)": { row in
          let (source, scheduler) = try (row.texts("source"), row.scheduler)
          return shown(source.timeout(after: .milliseconds(4), on: scheduler))
        },
        "source.timeout(after: .milliseconds(4), on: scheduler, fallback: other)": { row in
          let (source, other, scheduler) = try (row.texts("source"), row.texts("other"), row.scheduler)
          return shown(source.timeout(after: .milliseconds(4), on: scheduler, fallback: other))
        },
      ],
      costs: [
        CostSample(nil, .timed) { $0.first.signal.timeout(after: .seconds(1), on: $0.scheduler).subscribe { _ in } }
      ]),
  ]

  /// Longer than any check lasts.
  private static let neverReached = Duration.seconds(3600)
}
