import SignalTesting
import Signals

extension OperatorCatalogue {
  /// Operators that rest until another signal says so.
  static let throttled = [
    OperatorEntry(
      "throttle(by:)", file: "Operators/ThrottleBy.swift", page: "Signal/throttle(edges:fileID:line:function:by:",
      forms: [
        OperatorForm(passage: .some, delivery: .partlyScheduled, load: .valuesMayBeDropped) { up, inputs in
          up.throttle(by: { value in
            try inputs.visit(value)
            return .timer(after: inputs.rest, on: inputs.scheduler)
          })
        },
        OperatorForm("trailing", passage: .some, delivery: .partlyScheduled, load: .valuesMayBeDropped) { up, inputs in
          up.throttle(edges: .trailing, by: { _ in .timer(after: inputs.rest, on: inputs.scheduler) })
        },
        OperatorForm("both", passage: .some, delivery: .partlyScheduled, load: .valuesMayBeDropped) { up, inputs in
          up.throttle(edges: [.leading, .trailing], by: { _ in .timer(after: inputs.rest, on: inputs.scheduler) })
        },
        OperatorForm("at once") { up, _ in up.throttle(edges: .trailing, by: { value in .just(value) }) },
      ],
      fixtures: [
        "throttle(by:)": { context in
          let notifier = try context.source(named: "notifier")
          var edges: ThrottleEdges = []
          if context.fixture.arguments["leading"] == .bool(true) { edges.insert(.leading) }
          if context.fixture.arguments["trailing"] == .bool(true) { edges.insert(.trailing) }
          return try context.source().throttle(edges: edges, by: { _ in notifier })
        }
      ],
      diagrams: [
        "source.throttle(by: { _ in other })": { row in
          let (source, other) = try (row.texts("source"), row.texts("other"))
          return shown(source.throttle(by: { _ in other }))
        },
        "source.throttle(edges: [.leading, .trailing], by: { _ in other })": { row in
          let (source, other) = try (row.texts("source"), row.texts("other"))
          return shown(source.throttle(edges: [.leading, .trailing], by: { _ in other }))
        },
      ],
      costs: [
        CostSample(nil, .pairs) { rig in
          rig.first.signal.throttle(by: { _ in rig.second.signal }).subscribe { _ in }
        }
      ])
  ]
}
