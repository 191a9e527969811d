import SignalTesting
import Signals

extension OperatorCatalogue {
  /// Operators that make something of all values of a signal, and those about what comes at the end or in place of it.
  static let values = [
    OperatorEntry(
      "reduce", file: "Operators/Reduce.swift",
      forms: [
        OperatorForm(passage: .some, keepsPlace: true, delivers: nothing, atFinish: [98]) { up, inputs in
          up.reduce(98) {
            try inputs.visit($1)
            return $0
          }
        },
        OperatorForm("into", passage: .some, keepsPlace: true, delivers: nothing, atFinish: [98]) { up, inputs in
          up.reduce(into: 98) { try inputs.visit($1) }
        },
      ],
      diagrams: [
        "source.reduce(4) { $0 + $1 }": { row in
          let source = try row.numbers("source")
          return shown(source.reduce(4) { $0 + $1 })
        },
        "source.reduce(into: [String]()) { $0.append($1) }": { row in
          let source = try row.texts("source")
          return shown(source.reduce(into: [String]()) { $0.append($1) })
        },
      ],
      costs: [
        CostSample { $0.first.signal.reduce(0) { $0 &+ $1 }.subscribe { _ in } },
        CostSample("into") { $0.first.signal.reduce(into: 0) { $0 &+= $1 }.subscribe { _ in } },
      ]),

    OperatorEntry(
      "count", file: "Operators/Count.swift",
      forms: [
        OperatorForm(passage: .some, keepsPlace: true, delivers: nothing, atFinish: [98]) { up, _ in
          up.count().map { _ in 98 }
        },
        OperatorForm("where", passage: .some, keepsPlace: true, delivers: nothing, atFinish: [0]) { up, inputs in
          up.count {
            try inputs.visit($0)
            return false
          }
        },
      ],
      diagrams: [
        "source.count()": { row in
          let source = try row.texts("source")
          return shown(source.count())
        },
        "source.count { $0.isMultiple(of: 2) }": { row in
          let source = try row.numbers("source")
          return shown(source.count { $0.isMultiple(of: 2) })
        },
      ],
      costs: [
        CostSample { $0.first.signal.count().subscribe { _ in } },
        CostSample("where") { $0.first.signal.count { $0 > 0 }.subscribe { _ in } },
      ]),

    OperatorEntry(
      "min", file: "Operators/Min.swift",
      forms: [
        OperatorForm(passage: .some, delivers: nothing, atFinish: [-9]) { up, _ in up.prepend(-9).min() },
        OperatorForm("by", passage: .some, delivers: nothing, atFinish: [-9]) { up, inputs in
          up.prepend(-9).min {
            try inputs.visit($0)
            return $0 < $1
          }
        },
      ],
      diagrams: [
        "source.min()": { row in
          let source = try row.numbers("source")
          return shown(source.min())
        },
        "source.min { abs($0 - 3) < abs($1 - 3) }": { row in
          let source = try row.numbers("source")
          return shown(source.min { abs($0 - 3) < abs($1 - 3) })
        },
      ],
      costs: [
        CostSample { $0.first.signal.min().subscribe { _ in } },
        CostSample("by") { $0.first.signal.min { $0 < $1 }.subscribe { _ in } },
      ]),

    OperatorEntry(
      "max", file: "Operators/Max.swift",
      forms: [
        OperatorForm(passage: .some, delivers: nothing, atFinish: [9]) { up, _ in up.map { -$0 }.prepend(9).max() },
        OperatorForm("by", passage: .some, delivers: nothing, atFinish: [-9]) { up, inputs in
          up.prepend(-9).max {
            try inputs.visit($1)
            return $0 > $1
          }
        },
      ],
      diagrams: [
        "source.max()": { row in
          let source = try row.numbers("source")
          return shown(source.max())
        },
        "source.max { abs($0 - 3) < abs($1 - 3) }": { row in
          let source = try row.numbers("source")
          return shown(source.max { abs($0 - 3) < abs($1 - 3) })
        },
      ],
      costs: [
        CostSample { $0.first.signal.max().subscribe { _ in } },
        CostSample("by") { $0.first.signal.max { $0 < $1 }.subscribe { _ in } },
      ]),

    OperatorEntry(
      "contains", file: "Operators/Contains.swift",
      forms: [
        OperatorForm(passage: .some, keepsPlace: true, delivers: ninetyNineFrom(2)) { up, _ in
          ninetyNine(where: true, up.contains(2))
        },
        OperatorForm("where", passage: .some, keepsPlace: true, delivers: ninetyNineFrom(2)) { up, _ in
          ninetyNine(where: true, up.contains { $0 == 2 })
        },
        OperatorForm("where, none", passage: .some, keepsPlace: true, delivers: nothing, atFinish: [99]) { up, inputs in
          ninetyNine(
            where: false,
            up.contains {
              try inputs.visit($0)
              return false
            })
        },
      ],
      diagrams: [
        "source.contains(2)": { row in
          let source = try row.numbers("source")
          return shown(source.contains(2))
        },
        "source.contains { $0 > 3 }": { row in
          let source = try row.numbers("source")
          return shown(source.contains { $0 > 3 })
        },
      ],
      costs: [
        CostSample { $0.first.signal.contains(-1).subscribe { _ in } },
        CostSample("where") { $0.first.signal.contains { $0 < 0 }.subscribe { _ in } },
      ]),

    OperatorEntry(
      "allSatisfy", file: "Operators/AllSatisfy.swift",
      forms: [
        OperatorForm("not", passage: .some, keepsPlace: true, delivers: ninetyNineFrom(2)) { up, _ in
          ninetyNine(where: false, up.allSatisfy { $0 != 2 })
        },
        OperatorForm(passage: .some, keepsPlace: true, delivers: nothing, atFinish: [99]) { up, inputs in
          ninetyNine(
            where: true,
            up.allSatisfy {
              try inputs.visit($0)
              return true
            })
        },
      ],
      diagrams: [
        "source.allSatisfy { $0 < 2 }": { row in
          let source = try row.numbers("source")
          return shown(source.allSatisfy { $0 < 2 })
        }
      ],
      costs: [CostSample { $0.first.signal.allSatisfy { $0 >= 0 }.subscribe { _ in } }]),

    OperatorEntry(
      "anySatisfy", file: "Operators/AnySatisfy.swift",
      forms: [
        OperatorForm(passage: .some, keepsPlace: true, delivers: ninetyNineFrom(2)) { up, _ in
          ninetyNine(where: true, up.anySatisfy { $0 == 2 })
        },
        OperatorForm("not", passage: .some, keepsPlace: true, delivers: nothing, atFinish: [99]) { up, inputs in
          ninetyNine(
            where: false,
            up.anySatisfy {
              try inputs.visit($0)
              return false
            })
        },
      ],
      diagrams: [
        "source.anySatisfy { $0 > 1 }": { row in
          let source = try row.numbers("source")
          return shown(source.anySatisfy { $0 > 1 })
        }
      ],
      costs: [CostSample { $0.first.signal.anySatisfy { $0 < 0 }.subscribe { _ in } }]),

    OperatorEntry(
      "allSatisfy([])", file: "Combining/AllSatisfyOfArray.swift", page: "allSatisfy(",
      forms: [
        OperatorForm(
          passage: .some, waitsForOther: true, delivers: { $0.map { _ in 99 } }, exemptions: connectsInOrder
        ) { up, inputs in
          ninetyNine(where: true, Signals.allSatisfy([up.map { $0 > -9 }, inputs.other.map { $0 > -9 }]))
        }
      ],
      chains: [
        LeakChain("allSatisfy([]), of the same source") { up, _ in
          ninetyNine(where: true, Signals.allSatisfy([up.map { $0 > 0 }, up.map { $0 > 1 }]))
        },
        LeakChain("allSatisfy([]), of nothing", endsAtOnce: true) { _, _ in
          ninetyNine(where: true, Signals.allSatisfy([]))
        },
      ],
      diagrams: [
        "allSatisfy([source, other])": { row in
          let (source, other) = try (row.answers("source"), row.answers("other"))
          return shown(allSatisfy([source, other]))
        }
      ],
      costs: [
        CostSample(nil, .pairs) {
          Signals.allSatisfy([$0.first.signal.map { $0 > 0 }, $0.second.signal.map { $0 > 0 }]).subscribe { _ in }
        }
      ]),

    OperatorEntry(
      "anySatisfy([])", file: "Combining/AnySatisfyOfArray.swift", page: "anySatisfy(",
      forms: [
        OperatorForm(
          passage: .some, waitsForOther: true, delivers: { $0.map { _ in 99 } }, exemptions: connectsInOrder
        ) { up, inputs in
          ninetyNine(where: false, Signals.anySatisfy([up.map { $0 < -9 }, inputs.other.map { $0 < -9 }]))
        }
      ],
      chains: [
        LeakChain("anySatisfy([]), of the same source") { up, _ in
          ninetyNine(where: true, Signals.anySatisfy([up.map { $0 > 0 }, up.map { $0 > 1 }]))
        }
      ],
      diagrams: [
        "anySatisfy([source, other])": { row in
          let (source, other) = try (row.answers("source"), row.answers("other"))
          return shown(anySatisfy([source, other]))
        }
      ],
      costs: [
        CostSample(nil, .pairs) {
          Signals.anySatisfy([$0.first.signal.map { $0 > 0 }, $0.second.signal.map { $0 > 0 }]).subscribe { _ in }
        }
      ]),

    OperatorEntry(
      "latestValues(of:)", file: "Combining/LatestValues.swift", page: "latestValues(of",
      forms: [
        OperatorForm(passage: .repeated, waitsForOther: true, delivers: withOther, exemptions: connectsInOrder) {
          up, inputs in
          Signals.latestValues(of: ["a": up, "b": inputs.other]).map { $0["a", default: 0] + $0["b", default: 0] }
        }
      ],
      chains: [
        LeakChain("latestValues(of:), of the same source") { up, _ in
          Signals.latestValues(of: [1: up, 2: up.map { $0 }]).map { $0[1, default: 0] }
        }
      ],
      diagrams: [
        #"latestValues(of: ["a": source, "b": other])"#: { row in
          let (source, other) = try (row.numbers("source"), row.numbers("other"))
          return shown(latestValues(of: ["a": source, "b": other]))
        }
      ],
      costs: [
        CostSample(nil, .pairs) {
          Signals.latestValues(of: [1: $0.first.signal, 2: $0.second.signal]).subscribe { _ in }
        }
      ]),

    OperatorEntry(
      "enumerated", file: "Operators/Enumerated.swift",
      forms: [OperatorForm(keepsPlace: true) { up, _ in up.enumerated().map { $1 } }],
      diagrams: [
        "source.enumerated()": { row in
          let source = try row.numbers("source")
          return shown(source.enumerated())
        }
      ],
      costs: [CostSample { $0.first.signal.enumerated().subscribe { _ in } }]),

    OperatorEntry(
      "compacted", file: "Operators/Compacted.swift",
      forms: [
        OperatorForm(keepsPlace: true, delivers: { $0.filter { $0 != 2 } }) { up, _ in
          up.map { $0 == 2 ? nil : $0 }.compacted()
        }
      ],
      diagrams: [
        "source.map { Int($0) }.compacted()": { row in
          let source = try row.texts("source")
          return shown(source.map { Int($0) }.compacted())
        }
      ],
      costs: [CostSample { $0.first.signal.map { Int?.some($0) }.compacted().subscribe { _ in } }]),

    OperatorEntry(
      "ignoreValues", file: "Operators/IgnoreValues.swift",
      forms: [
        OperatorForm(passage: .some, keepsPlace: true, delivers: nothing) { up, _ in
          up.ignoreValues().map(neverCalled)
        },
        OperatorForm("as another type", passage: .some, keepsPlace: true, delivers: nothing) { up, _ in
          up.ignoreValues(as: Int.self)
        },
      ],
      diagrams: [
        "source.ignoreValues()": { row in
          let source = try row.numbers("source")
          return shown(source.ignoreValues())
        }
      ],
      costs: [CostSample { $0.first.signal.ignoreValues().subscribe { _ in } }]),

    OperatorEntry(
      "replaceEmpty(with:)", file: "Operators/ReplaceEmpty.swift",
      forms: [
        OperatorForm("of some values", atStart: [0]) { up, _ in up.prepend(0).replaceEmpty(with: 98) },
        OperatorForm("of none", passage: .some, keepsPlace: true, delivers: nothing, atFinish: [98]) { up, inputs in
          up.filter {
            try inputs.visit($0)
            return false
          }.replaceEmpty(with: 98)
        },
      ],
      diagrams: [
        "source.replaceEmpty(with: 7)": { row in
          let source = try row.numbers("source")
          return shown(source.replaceEmpty(with: 7))
        }
      ],
      costs: [CostSample { $0.first.signal.replaceEmpty(with: 0).subscribe { _ in } }]),

    OperatorEntry(
      "ifEmpty(switchTo:)", file: "Operators/IfEmpty.swift",
      forms: [
        OperatorForm("of some values", atStart: [0]) { up, _ in up.prepend(0).ifEmpty(switchTo: .just(98)) },
        OperatorForm("of none", passage: .some, delivers: nothing, atFinish: [98, 99]) { up, inputs in
          up.filter {
            try inputs.visit($0)
            return false
          }.ifEmpty(switchTo: .sequence([98, 99]))
        },
        OperatorForm("second") { up, _ in Signal.empty().ifEmpty(switchTo: up) },
      ],
      chains: [
        LeakChain("ifEmpty(switchTo:), of the same source") { up, _ in up.filter { _ in false }.ifEmpty(switchTo: up) }
      ],
      diagrams: [
        "source.ifEmpty(switchTo: other)": { row in
          let (source, other) = try (row.texts("source"), row.texts("other"))
          return shown(source.ifEmpty(switchTo: other))
        }
      ],
      costs: [CostSample { $0.first.signal.ifEmpty(switchTo: $0.second.signal).subscribe { _ in } }]),

    OperatorEntry(
      "append", file: "Operators/Append.swift",
      forms: [
        OperatorForm(atFinish: [98]) { up, _ in up.append(98) },
        OperatorForm("contents of", atFinish: [98, 99]) { up, _ in up.append(contentsOf: [98, 99]) },
      ],
      chains: [
        LeakChain("append, cut off") { up, _ in up.prefix(1).append(contentsOf: 7...).prefix(3) },
        LeakChain("append, nested") { up, _ in up.append(7).append([8]) },
      ],
      diagrams: [
        "source.append(8, 9)": { row in
          let source = try row.numbers("source")
          return shown(source.append(8, 9))
        },
        "source.append(contentsOf: 7...9)": { row in
          let source = try row.numbers("source")
          return shown(source.append(contentsOf: 7...9))
        },
      ],
      costs: [CostSample { $0.first.signal.append(1).subscribe { _ in } }]),

    OperatorEntry(
      "materialize", file: "Operators/Materialize.swift",
      forms: [
        OperatorForm(keepsPlace: true, failure: .isReplaced(by: [97]), atFinish: [98]) { up, _ in
          up.materialize().map { event in
            switch event {
            case .value(let value): value
            case .failed: 97
            case .finished: 98
            }
          }
        }
      ],
      diagrams: [
        "source.materialize()": { row in
          let source = try row.numbers("source")
          return shown(source.materialize())
        }
      ],
      costs: [CostSample { $0.first.signal.materialize().subscribe { _ in } }]),

    OperatorEntry(
      "dematerialize", file: "Operators/Dematerialize.swift",
      forms: [
        OperatorForm(keepsPlace: true) { up, _ in up.materialize().dematerialize() },
        OperatorForm(
          "ended by a value", passage: .some, keepsPlace: true, delivers: { Array($0.prefix { $0 != 3 }) }
        ) { up, _ in up.map { $0 == 3 ? Event.finished : .value($0) }.dematerialize() },
      ],
      diagrams: [
        "source.map { $0 < 3 ? Event.value($0) : .finished }.dematerialize()": { row in
          let source = try row.numbers("source")
          return shown(source.map { $0 < 3 ? Event.value($0) : .finished }.dematerialize())
        }
      ],
      costs: [CostSample { $0.first.signal.map { Event.value($0) }.dematerialize().subscribe { _ in } }]),
  ]

  @Sendable private static func withOther(_ values: [Int]) -> [Int] { values.map { $0 + OperatorInputs.firstOfOther } }

  @Sendable private static func neverCalled(_ value: Never) -> Int {}
  @Sendable private static func nothing(_ values: [Int]) -> [Int] { [] }

  /// One value as soon as a certain one has come.
  private static func ninetyNineFrom(_ value: Int) -> @Sendable ([Int]) -> [Int] {
    { $0.contains(value) ? [99] : [] }
  }

  /// A value for each answer of one kind.
  @Sendable private static func ninetyNine(where isWanted: Bool, _ answers: Signal<Bool>) -> Signal<Int> {
    answers.compactMap { $0 == isWanted ? 99 : nil }
  }

  private static let connectsInOrder: [OperatorCheck: String] = [
    .endlessAtOnce:
      "inputs are connected in order, so an endless one that delivers at once never lets the next one come"
  ]
}

extension FixtureContext {
  /// An input that sends truth values.
  fileprivate func answers(_ name: String) throws -> Signal<Bool> { try texts(name).map { $0 == "true" } }
}

private func shown(_ signal: Signal<[String: Int]>) -> Signal<FixtureValue> {
  signal.map { row in
    .string("[" + row.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" }.joined(separator: ", ") + "]")
  }
}
