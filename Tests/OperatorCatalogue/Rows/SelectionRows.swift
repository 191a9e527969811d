import SignalTesting
import Signals

extension OperatorCatalogue {
  /// Operators that let some values pass, by their place, by a condition, or by what happens elsewhere.
  static let selection = [
    OperatorEntry(
      "first", file: "Operators/First.swift",
      forms: [
        OperatorForm(passage: .some, keepsPlace: true, delivers: { Array($0.prefix(1)) }) { up, _ in up.first() },
        OperatorForm("where", passage: .some, keepsPlace: true, delivers: { Array($0.filter { $0 > 1 }.prefix(1)) }) {
          up, inputs in
          up.first {
            try inputs.visit($0)
            return $0 > 1
          }
        },
      ],
      fixtures: ["first": { try $0.source().first() }],
      diagrams: [
        "source.first()": { row in
          let source = try row.texts("source")
          return shown(source.first())
        },
        "source.first { $0 > 3 }": { row in
          let source = try row.numbers("source")
          return shown(source.first { $0 > 3 })
        },
      ],
      costs: [CostSample("none found") { $0.first.signal.first { $0 < 0 }.subscribe { _ in } }]),

    OperatorEntry(
      "last", file: "Operators/Last.swift",
      forms: [
        OperatorForm(passage: .some, delivers: { _ in [] }, atFinish: [8]) { up, _ in up.concat(.just(8)).last() },
        OperatorForm("where", passage: .some, delivers: { _ in [] }, atFinish: [8]) { up, inputs in
          up.concat(.just(8)).last {
            try inputs.visit($0)
            return true
          }
        },
      ],
      diagrams: [
        "source.last()": { row in
          let source = try row.texts("source")
          return shown(source.last())
        },
        "source.last { $0 > 3 }": { row in
          let source = try row.numbers("source")
          return shown(source.last { $0 > 3 })
        },
      ],
      costs: [CostSample { $0.first.signal.last().subscribe { _ in } }]),

    OperatorEntry(
      "element(at:)", file: "Operators/ElementAt.swift",
      forms: [
        OperatorForm(passage: .some, keepsPlace: true, delivers: { Array($0.dropFirst(2).prefix(1)) }) { up, _ in
          up.element(at: 2)
        }
      ],
      fixtures: ["element(at:)": { try $0.source().element(at: $0.required($0.integer("index"), "index")) }],
      diagrams: [
        "source.element(at: 2)": { row in
          let source = try row.texts("source")
          return shown(source.element(at: 2))
        }
      ],
      costs: [CostSample { $0.first.signal.element(at: .max).subscribe { _ in } }]),

    OperatorEntry(
      "prefix(while:)", file: "Operators/PrefixWhile.swift", page: "Signal/prefix(while:inclusive:",
      forms: [
        OperatorForm(passage: .some, keepsPlace: true, delivers: { Array($0.prefix { $0 < 3 }) }) { up, inputs in
          up.prefix {
            try inputs.visit($0)
            return $0 < 3
          }
        },
        OperatorForm(
          "inclusive", passage: .some, keepsPlace: true,
          delivers: { values in Array(values.prefix(values.prefix { $0 < 3 }.count + 1)) }
        ) {
          up, _ in
          up.prefix(while: { $0 < 3 }, inclusive: true)
        },
      ],
      diagrams: [
        "source.prefix(while: { $0 < 3 })": { row in
          let source = try row.numbers("source")
          return shown(source.prefix(while: { $0 < 3 }))
        },
        "source.prefix(while: { $0 < 3 }, inclusive: true)": { row in
          let source = try row.numbers("source")
          return shown(source.prefix(while: { $0 < 3 }, inclusive: true))
        },
      ],
      costs: [CostSample { $0.first.signal.prefix(while: { $0 >= 0 }).subscribe { _ in } }]),

    OperatorEntry(
      "prefix(duringLifetimeOf:)", file: "Operators/PrefixDuringLifetime.swift",
      forms: [
        OperatorForm { up, _ in up.prefix(duringLifetimeOf: Lasting.object) },
        OperatorForm("with a bag") { up, _ in up.prefix(duringLifetimeOf: Lasting.bagOwner) },
      ],
      diagrams: [
        "source.prefix(duringLifetimeOf: owner)": { row in
          let (source, owner) = try (row.texts("source"), Lasting.object)
          return shown(source.prefix(duringLifetimeOf: owner))
        }
      ],
      costs: [CostSample { $0.first.signal.prefix(duringLifetimeOf: $0.second).subscribe { _ in } }]),

    OperatorEntry(
      "drop(while:)", file: "Operators/DropWhile.swift", page: "Signal/drop(fileID",
      forms: [
        OperatorForm(passage: .some, keepsPlace: true, delivers: { Array($0.drop { $0 < 3 }) }) { up, inputs in
          up.drop {
            try inputs.visit($0)
            return $0 < 3
          }
        }
      ],
      diagrams: [
        "source.drop { $0 < 3 }": { row in
          let source = try row.numbers("source")
          return shown(source.drop { $0 < 3 })
        }
      ],
      costs: [CostSample { $0.first.signal.drop { $0 < 0 }.subscribe { _ in } }]),

    OperatorEntry(
      "drop(untilOutputFrom:)", file: "Operators/DropUntilOutput.swift",
      forms: [
        OperatorForm(passage: .some, waitsForOther: true) { up, inputs in up.drop(untilOutputFrom: inputs.other) }
      ],
      chains: [
        LeakChain("drop(untilOutputFrom:), of the same source") { up, _ in up.drop(untilOutputFrom: up.dropFirst(2)) }
      ],
      fixtures: [
        "drop(untilOutputFrom:)": {
          try $0.source().drop(untilOutputFrom: $0.signal($0.required($0.string("notifier"), "notifier")))
        }
      ],
      diagrams: [
        "source.drop(untilOutputFrom: other)": { row in
          let (source, other) = try (row.texts("source"), row.texts("other"))
          return shown(source.drop(untilOutputFrom: other))
        }
      ],
      costs: [CostSample(nil, .pairs) { $0.first.signal.drop(untilOutputFrom: $0.second.signal).subscribe { _ in } }]),

    OperatorEntry(
      "suffix", file: "Operators/Suffix.swift",
      forms: [
        OperatorForm(passage: .some, delivers: { _ in [] }, atFinish: [7, 8]) { up, _ in
          up.concat(.sequence([7, 8])).suffix(2)
        }
      ],
      fixtures: ["suffix": { try $0.source().suffix($0.required($0.integer("count"), "count")) }],
      diagrams: [
        "source.suffix(2)": { row in
          let source = try row.texts("source")
          return shown(source.suffix(2))
        }
      ],
      costs: [CostSample { $0.first.signal.suffix(3).subscribe { _ in } }]),

    OperatorEntry(
      "sample(by:)", file: "Operators/Sample.swift",
      forms: [
        OperatorForm(passage: .some, waitsForOther: true, delivers: { _ in [] }) { up, inputs in
          up.sample(by: inputs.other)
        },
        OperatorForm(
          "of itself", passage: .some,
          exemptions: [
            .synchronousSource: "what delivers inside subscribe has ended before it is sampled",
            .endlessAtOnce: "what delivers inside subscribe without an end is never sampled",
          ]
        ) { up, _ in
          let shared = up.share()
          return shared.sample(by: shared)
        },
      ],
      chains: [LeakChain("sample(by:), of the same source") { up, _ in up.sample(by: up.dropFirst(2)) }],
      fixtures: [
        "sample(by:)": { try $0.source().sample(by: $0.signal($0.required($0.string("notifier"), "notifier"))) }
      ],
      diagrams: [
        "source.sample(by: other)": { row in
          let (source, other) = try (row.texts("source"), row.texts("other"))
          return shown(source.sample(by: other))
        }
      ],
      costs: [CostSample(nil, .pairs) { $0.second.signal.sample(by: $0.first.signal).subscribe { _ in } }]),

    OperatorEntry(
      "sample(every:on:)", file: "Operators/Sample.swift",
      forms: [
        OperatorForm(passage: .some, mixesSenders: true, delivery: .scheduled, load: .valuesMayBeDropped) {
          up, inputs in up.sample(every: inputs.rest, on: inputs.scheduler)
        }
      ],
      fixtures: ["sample(every:on:)": { try $0.source().sample(every: $0.milliseconds(), on: $0.scheduler) }],
      diagrams: [
        "source.sample(every: .milliseconds(4), on: scheduler)": { row in
          let (source, scheduler) = try (row.texts("source"), row.scheduler)
          return shown(source.sample(every: .milliseconds(4), on: scheduler))
        }
      ],
      costs: [
        CostSample(nil, .timed) {
          $0.first.signal.sample(every: .milliseconds(1), on: $0.scheduler).subscribe { _ in }
        }
      ]),

    OperatorEntry(
      "removeDuplicates(by: key path)", file: "Operators/RemoveDuplicatesByKeyPath.swift",
      page: "Signal/removeDuplicates(by:",
      forms: [
        OperatorForm(
          keepsPlace: true,
          delivers: { values in values.indices.filter { $0 == 0 || values[$0] != values[$0 - 1] }.map { values[$0] } }
        ) { up, _ in up.removeDuplicates(by: \.self) }
      ],
      diagrams: [
        #"source.removeDuplicates(by: \.count)"#: { row in
          let source = try row.texts("source")
          return shown(source.removeDuplicates(by: \.count))
        }
      ],
      costs: [CostSample { $0.first.signal.removeDuplicates(by: \.self).subscribe { _ in } }]),
  ]
}

/// Objects that outlive every check.
private enum Lasting {
  final class Object: Sendable {}

  final class BagOwner: DisposeBagOwner {
    let disposeBag = DisposeBag()
  }

  static let object = Object()
  static let bagOwner = BagOwner()
}
