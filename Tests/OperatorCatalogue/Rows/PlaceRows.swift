import SignalTesting
import Signals

extension OperatorCatalogue {
  /// Where things happen, and what becomes of values that have to wait.
  static let placed = [
    OperatorEntry(
      "receive(on:)", file: "Operators/ReceiveOn.swift",
      forms: [
        OperatorForm(mixesSenders: true, delivery: .scheduled) { up, inputs in up.receive(on: inputs.scheduler) },
        OperatorForm("immediately") { up, _ in up.receive(on: .immediate) },
        OperatorForm("the newest", passage: .some, mixesSenders: true, delivery: .scheduled, load: .valuesMayBeDropped)
        {
          up, inputs in up.receive(on: inputs.scheduler, overflow: .newest(3))
        },
        OperatorForm("the oldest", passage: .some, mixesSenders: true, delivery: .scheduled, load: .valuesMayBeDropped)
        {
          up, inputs in up.receive(on: inputs.scheduler, overflow: .oldest(3))
        },
        OperatorForm("with much room", mixesSenders: true, delivery: .scheduled) { up, inputs in
          up.receive(on: inputs.scheduler, overflow: .fail(1_000_000))
        },
      ],
      fixtures: ["receive(on:)": { try $0.source().receive(on: $0.scheduler) }],
      diagrams: [
        "source.receive(on: scheduler)": { row in
          let (source, scheduler) = try (row.texts("source"), row.scheduler)
          return shown(source.receive(on: scheduler))
        },
        "source.receive(on: scheduler, overflow: .newest(2))": { row in
          let (source, scheduler) = try (row.texts("source"), row.scheduler)
          return shown(source.receive(on: scheduler, overflow: .newest(2)))
        },
        "source.receive(on: scheduler, overflow: .oldest(2))": { row in
          let (source, scheduler) = try (row.texts("source"), row.scheduler)
          return shown(source.receive(on: scheduler, overflow: .oldest(2)))
        },
        "source.receive(on: scheduler, overflow: .fail(2))": { row in
          let (source, scheduler) = try (row.texts("source"), row.scheduler)
          return shown(source.receive(on: scheduler, overflow: .fail(2)))
        },
      ],
      costs: [
        CostSample(nil, .timed) { $0.first.signal.receive(on: $0.scheduler).subscribe { _ in } },
        CostSample("with a limit", .timed) {
          $0.first.signal.receive(on: $0.scheduler, overflow: .newest(10)).subscribe { _ in }
        },
      ]),

    OperatorEntry(
      "subscribed(on:)", file: "Operators/SubscribedOn.swift",
      forms: [
        OperatorForm("immediately", keepsPlace: true) { up, _ in up.subscribed(on: .immediate) }
      ],
      diagrams: [
        "source.subscribed(on: scheduler)": { row in
          let (source, scheduler) = try (row.texts("source"), row.scheduler)
          return shown(source.subscribed(on: scheduler))
        }
      ],
      costs: [CostSample { $0.first.signal.subscribed(on: .immediate).subscribe { _ in } }]),

    OperatorEntry(
      "buffer", file: "Operators/Buffer.swift",
      forms: [
        OperatorForm { up, inputs in up.buffer(while: inputs.other.map { _ in false }) },
        OperatorForm("now and then", passage: .some, load: .valuesMayBeDropped) { up, inputs in
          up.buffer(while: inputs.other.map { $0.isMultiple(of: 2) })
        },
        OperatorForm("the newest", passage: .some, load: .valuesMayBeDropped) { up, inputs in
          up.buffer(while: inputs.other.map { $0.isMultiple(of: 2) }, overflow: .newest(3))
        },
      ],
      diagrams: [
        "source.buffer(while: busy)": { row in
          let (source, busy) = try (row.texts("source"), row.texts("busy").map { $0 == "t" })
          return shown(source.buffer(while: busy))
        },
        "source.buffer(while: busy, overflow: .newest(1))": { row in
          let (source, busy) = try (row.texts("source"), row.texts("busy").map { $0 == "t" })
          return shown(source.buffer(while: busy, overflow: .newest(1)))
        },
        "source.buffer(while: busy, overflow: .oldest(1))": { row in
          let (source, busy) = try (row.texts("source"), row.texts("busy").map { $0 == "t" })
          return shown(source.buffer(while: busy, overflow: .oldest(1)))
        },
      ],
      costs: [
        CostSample { rig in rig.first.signal.buffer(while: rig.second.signal.map { _ in false }).subscribe { _ in } }
      ]),
  ]
}
