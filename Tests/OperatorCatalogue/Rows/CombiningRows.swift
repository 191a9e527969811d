import SignalTesting
import Signals

extension OperatorCatalogue {
  /// What becomes of values where each is added to the further input's first.
  @Sendable private static func withOther(_ values: [Int]) -> [Int] { values.map { $0 + OperatorInputs.firstOfOther } }

  private static let connectsInOrder: [OperatorCheck: String] = [
    .endlessAtOnce:
      "inputs are connected in order, so an endless one that delivers at once never lets the next one come"
  ]

  /// Operators that take values from several signals.
  static let combining = [
    OperatorEntry(
      "merge", file: "Combining/Merge.swift",
      forms: [
        OperatorForm(atOther: [OperatorInputs.firstOfOther]) { up, inputs in up.merge(with: inputs.other) },
        OperatorForm("of several", atOther: [OperatorInputs.firstOfOther]) { up, inputs in .merge(up, inputs.other) },
      ],
      chains: [
        LeakChain("merge, of the same source") { up, _ in up.merge(with: up.map { $0 }, .just(3)) },
        LeakChain("merge, nested") { up, _ in up.merge(with: up.map { $0 }).merge(with: .just(3)) },
      ],
      fixtures: ["merge": { try .merge($0.signals("inputs")) }],
      diagrams: [
        "source.merge(with: other)": { row in
          let (source, other) = try (row.texts("source"), row.texts("other"))
          return shown(source.merge(with: other))
        }
      ],
      costs: [CostSample(nil, .pairs) { $0.first.signal.merge(with: $0.second.signal).subscribe { _ in } }]),

    OperatorEntry(
      "concat", file: "Combining/Concat.swift",
      forms: [
        OperatorForm("first", atFinish: [7]) { up, _ in up.concat(.just(7)) },
        OperatorForm("second", atStart: [7]) { up, _ in .concat([.just(7), up]) },
      ],
      chains: [
        LeakChain("concat, of the same source") { up, _ in up.prefix(1).concat(up, .empty()) },
        LeakChain("concat, nested") { up, _ in up.prefix(1).concat(up).concat(.empty()) },
      ],
      fixtures: ["concat": { try .concat($0.signals("inputs")) }],
      diagrams: [
        "source.concat(other)": { row in
          let (source, other) = try (row.texts("source"), row.texts("other"))
          return shown(source.concat(other))
        }
      ],
      costs: [CostSample { $0.first.signal.concat($0.second.signal).subscribe { _ in } }]),

    OperatorEntry(
      "combineLatest", file: "Combining/CombineLatest.swift",
      forms: [
        OperatorForm(passage: .repeated, waitsForOther: true, delivers: withOther, exemptions: connectsInOrder) {
          up, inputs in up.combineLatest(inputs.other).map { $0 + $1 }
        },
        OperatorForm(
          "with two", passage: .repeated, waitsForOther: true, delivers: withOther, exemptions: connectsInOrder
        ) { up, inputs in up.combineLatest(inputs.other, .just(0)).map { $0 + $1 + $2 } },
        OperatorForm(
          "of two", passage: .repeated, waitsForOther: true, delivers: withOther, exemptions: connectsInOrder
        ) { up, inputs in Signals.combineLatest(up, inputs.other).map { $0 + $1 } },
        OperatorForm(
          "of three", passage: .repeated, waitsForOther: true, delivers: withOther, exemptions: connectsInOrder
        ) { up, inputs in Signals.combineLatest(up, inputs.other, .just(0)).map { $0 + $1 + $2 } },
        OperatorForm(
          "of all", passage: .repeated, waitsForOther: true, delivers: withOther, exemptions: connectsInOrder
        ) { up, inputs in Signals.combineLatest(all: up, inputs.other).map { $0 + $1 } },
      ],
      chains: [
        LeakChain("combineLatest, of the same source") { up, _ in up.combineLatest(up.map { $0 }).map { $0 + $1 } }
      ],
      fixtures: [
        "combineLatest": { context in
          let combine = try context.combine()
          return try context.twoOrThree(
            { Signals.combineLatest($0, $1).map { combine([$0, $1]) } },
            { Signals.combineLatest($0, $1, $2).map { combine([$0, $1, $2]) } })
        }
      ],
      diagrams: [
        "source.combineLatest(other)": { row in
          let (source, other) = try (row.texts("source"), row.texts("other"))
          return shown(source.combineLatest(other))
        }
      ],
      costs: [CostSample(nil, .pairs) { $0.first.signal.combineLatest($0.second.signal).subscribe { _ in } }]),

    OperatorEntry(
      "combineLatest([])", file: "Combining/CombineLatestOfArray.swift", page: "combineLatest(",
      forms: [
        OperatorForm(passage: .repeated, waitsForOther: true, delivers: withOther, exemptions: connectsInOrder) {
          up, inputs in Signals.combineLatest([up, inputs.other]).map { $0[0] + $0[1] }
        }
      ],
      chains: [
        LeakChain("combineLatest([]), of the same source") { up, _ in
          Signals.combineLatest([up, up.map { $0 }]).map { $0[0] }
        }
      ],
      fixtures: ["combineLatest([])": { try Signals.combineLatest($0.signals("inputs")).map { .array($0) } }],
      diagrams: [
        "combineLatest([source, other])": { row in
          let (source, other) = try (row.texts("source"), row.texts("other"))
          return shown(combineLatest([source, other]))
        }
      ],
      costs: [
        CostSample(nil, .pairs) { Signals.combineLatest([$0.first.signal, $0.second.signal]).subscribe { _ in } }
      ]),

    OperatorEntry(
      "zip", file: "Combining/Zip.swift",
      forms: [
        OperatorForm(
          passage: .some, waitsForOther: true, delivers: { withOther(Array($0.prefix(1))) }
        ) { up, inputs in up.zip(inputs.other).map { $0 + $1 } },
        OperatorForm(
          "with two", passage: .some, waitsForOther: true, delivers: { withOther(Array($0.prefix(1))) }
        ) { up, inputs in up.zip(inputs.other, inputs.other).map { first, second, _ in first + second } },
        OperatorForm(
          "of two", passage: .some, waitsForOther: true, delivers: { withOther(Array($0.prefix(1))) }
        ) { up, inputs in Signals.zip(up, inputs.other).map { $0 + $1 } },
        OperatorForm(
          "of three", passage: .some, waitsForOther: true, delivers: { withOther(Array($0.prefix(1))) }
        ) { up, inputs in Signals.zip(up, inputs.other, inputs.other).map { first, second, _ in first + second } },
        OperatorForm(
          "of all", passage: .some, waitsForOther: true, delivers: { withOther(Array($0.prefix(1))) }
        ) { up, inputs in Signals.zip(all: up, inputs.other).map { $0 + $1 } },
      ],
      chains: [
        LeakChain("zip, of the same source") { up, _ in up.zip(up.dropFirst()).map { $0 + $1 } },
        LeakChain("zip, cut off") { up, _ in up.zip(.sequence(0..<3)).prefix(1).map { $0 + $1 } },
      ],
      fixtures: [
        "zip": { context in
          let combine = try context.combine()
          return try context.twoOrThree(
            { Signals.zip($0, $1).map { combine([$0, $1]) } },
            { Signals.zip($0, $1, $2).map { combine([$0, $1, $2]) } })
        }
      ],
      diagrams: [
        "source.zip(other)": { row in
          let (source, other) = try (row.texts("source"), row.texts("other"))
          return shown(source.zip(other))
        }
      ],
      costs: [CostSample(nil, .pairs) { $0.first.signal.zip($0.second.signal).subscribe { _ in } }]),

    OperatorEntry(
      "withLatest(from:)", file: "Combining/WithLatest.swift",
      forms: [
        OperatorForm(passage: .some, waitsForOther: true, delivers: withOther) { up, inputs in
          up.withLatest(from: inputs.other).map { $0 + $1 }
        },
        OperatorForm("of two", passage: .some, waitsForOther: true, delivers: withOther) { up, inputs in
          up.withLatest(from: inputs.other, .just(0)).map { $0 + $1 + $2 }
        },
      ],
      chains: [LeakChain("withLatest(from:), of just") { up, _ in up.withLatest(from: .just(1)).map { $0 + $1 } }],
      fixtures: [
        "withLatest(from:)": { context in
          let combine = try context.combine()
          let others = try context.signals("others")
          guard let main = context.fixture.sources.last?.name, let first = others.first else {
            throw context.wrong("others", "a list")
          }
          let source = try context.signal(main)
          return others.count == 1
            ? source.withLatest(from: first).map { combine([$0, $1]) }
            : source.withLatest(from: first, others[1]).map { combine([$0, $1, $2]) }
        }
      ],
      diagrams: [
        "source.withLatest(from: other)": { row in
          let (source, other) = try (row.texts("source"), row.texts("other"))
          return shown(source.withLatest(from: other))
        }
      ],
      costs: [CostSample(nil, .pairs) { $0.first.signal.withLatest(from: $0.second.signal).subscribe { _ in } }]),
  ]
}
