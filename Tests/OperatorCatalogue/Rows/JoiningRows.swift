import SignalTesting
import Signals

extension OperatorCatalogue {
  @Sendable private static func withOther(_ values: [Int]) -> [Int] { values.map { $0 + OperatorInputs.firstOfOther } }
  @Sendable private static func twice(_ values: [Int]) -> [Int] { values.flatMap { [$0, $0] } }
  @Sendable private static func nothing(_ values: [Int]) -> [Int] { [] }

  /// Further operators that take values from several signals, make signals of values, or let several subscribers share one.
  static let joining = [
    OperatorEntry(
      "zip([])", file: "Combining/ZipOfArray.swift", page: "zip(",
      forms: [
        OperatorForm(
          passage: .some, waitsForOther: true, delivers: { withOther(Array($0.prefix(1))) }
        ) { up, inputs in Signals.zip([up, inputs.other]).map { $0[0] + $0[1] } }
      ],
      chains: [
        LeakChain("zip([]), of the same source") { up, _ in Signals.zip([up, up.dropFirst()]).map { $0[0] } }
      ],
      fixtures: ["zip([])": { try Signals.zip($0.signals("inputs")).map { .array($0) } }],
      diagrams: [
        "zip([source, other])": { row in
          let (source, other) = try (row.texts("source"), row.texts("other"))
          return shown(zip([source, other]))
        }
      ],
      costs: [CostSample(nil, .pairs) { Signals.zip([$0.first.signal, $0.second.signal]).subscribe { _ in } }]),

    OperatorEntry(
      "forkJoin", file: "Combining/ForkJoin.swift", page: "forkJoin(",
      forms: [
        OperatorForm(passage: .some, waitsForOther: true, delivers: nothing, atFinish: [OperatorInputs.firstOfOther]) {
          up, inputs in forkJoin(up.prepend(0), inputs.other).map { _, last in last }
        },
        OperatorForm(
          "of three", passage: .some, waitsForOther: true, delivers: nothing, atFinish: [OperatorInputs.firstOfOther]
        ) { up, inputs in forkJoin(up.prepend(0), inputs.other, .just(0)).map { _, last, _ in last } },
        OperatorForm(
          "of all", passage: .some, waitsForOther: true, delivers: nothing, atFinish: [OperatorInputs.firstOfOther]
        ) { up, inputs in forkJoin(all: up.prepend(0), inputs.other).map { _, last in last } },
        OperatorForm(
          "in a chain", passage: .some, waitsForOther: true, delivers: nothing, atFinish: [OperatorInputs.firstOfOther]
        ) { up, inputs in up.prepend(0).forkJoin(inputs.other).map { _, last in last } },
        OperatorForm(
          "three in a chain", passage: .some, waitsForOther: true, delivers: nothing,
          atFinish: [OperatorInputs.firstOfOther]
        ) { up, inputs in up.prepend(0).forkJoin(inputs.other, .just(0)).map { _, last, _ in last } },
      ],
      chains: [LeakChain("forkJoin, of the same source") { up, _ in forkJoin(up, up.map { $0 }).map { $0 + $1 } }],
      fixtures: [
        "forkJoin": { context in
          try context.twoOrThree(
            { forkJoin($0, $1).map { .array([$0, $1]) } },
            { forkJoin($0, $1, $2).map { .array([$0, $1, $2]) } })
        }
      ],
      diagrams: [
        "forkJoin(source, other)": { row in
          let (source, other) = try (row.texts("source"), row.texts("other"))
          return shown(forkJoin(source, other))
        },
        "source.forkJoin(other)": { row in
          let (source, other) = try (row.texts("source"), row.texts("other"))
          return shown(source.forkJoin(other))
        },
      ],
      costs: [CostSample(nil, .pairs) { forkJoin($0.first.signal, $0.second.signal).subscribe { _ in } }]),

    OperatorEntry(
      "forkJoin([])", file: "Combining/ForkJoinOfArray.swift", page: "forkJoin(",
      forms: [
        OperatorForm(passage: .some, waitsForOther: true, delivers: nothing, atFinish: [OperatorInputs.firstOfOther]) {
          up, inputs in forkJoin([up.prepend(0), inputs.other]).map { $0[1] }
        }
      ],
      fixtures: ["forkJoin([])": { try forkJoin($0.signals("inputs")).map { .array($0) } }],
      diagrams: [
        "forkJoin([source, other])": { row in
          let (source, other) = try (row.texts("source"), row.texts("other"))
          return shown(forkJoin([source, other]))
        }
      ],
      costs: [CostSample(nil, .pairs) { forkJoin([$0.first.signal, $0.second.signal]).subscribe { _ in } }]),

    OperatorEntry(
      "race", file: "Combining/Race.swift",
      forms: [
        OperatorForm("first") { up, _ in up.race(with: .never()) },
        OperatorForm("second") { up, _ in .race([.never(), up]) },
      ],
      chains: [LeakChain("race, of the same source") { up, _ in up.race(with: up.map { $0 }, .never()) }],
      fixtures: ["race": { try .race($0.signals("inputs")) }],
      diagrams: [
        "source.race(with: other)": { row in
          let (source, other) = try (row.texts("source"), row.texts("other"))
          return shown(source.race(with: other))
        }
      ],
      costs: [CostSample { $0.first.signal.race(with: $0.second.signal).subscribe { _ in } }]),

    OperatorEntry(
      "sequenceEqual", file: "Combining/SequenceEqual.swift",
      forms: [
        OperatorForm(passage: .some, delivers: nothing, atFinish: [1]) { up, inputs in
          up.sequenceEqual(up) { left, right in
            try inputs.visit(left)
            return left == right
          }.map { $0 ? 1 : 0 }
        },
        OperatorForm("by equality", passage: .some, delivers: nothing, atFinish: [1]) { up, _ in
          up.sequenceEqual(up).map { $0 ? 1 : 0 }
        },
      ],
      chains: [
        LeakChain("sequenceEqual, decided early") { up, _ in
          up.sequenceEqual(.sequence([1, -1])).map { $0 ? 1 : 0 }
        }
      ],
      diagrams: [
        "source.sequenceEqual(other)": { row in
          let (source, other) = try (row.texts("source"), row.texts("other"))
          return shown(source.sequenceEqual(other))
        }
      ],
      costs: [
        CostSample(nil, .pairs) { $0.first.signal.sequenceEqual($0.second.signal).subscribe { _ in } }
      ]),

    OperatorEntry(
      "concatMap", file: "Operators/ConcatMap.swift",
      forms: [
        OperatorForm(passage: .copied, delivers: twice) { up, inputs in
          up.concatMap { value in
            try inputs.visit(value)
            return .sequence([value, value])
          }
        }
      ],
      chains: [
        LeakChain("concatMap, of the same source") { up, _ in up.concatMap { value in up.prefix(1).map { $0 + value } }
        }
      ],
      fixtures: ["concatMap": { try $0.source(named: "outer").concatMap($0.project()) }],
      diagrams: [
        #"source.concatMap { $0 == "a" ? a : b }"#: { row in
          let (source, a, b) = try (row.texts("source"), row.texts("a"), row.texts("b"))
          return shown(source.concatMap { $0 == "a" ? a : b })
        }
      ],
      costs: [CostSample { $0.first.signal.concatMap { .just($0) }.subscribe { _ in } }]),

    OperatorEntry(
      "exhaustMap", file: "Operators/ExhaustMap.swift",
      forms: [
        OperatorForm(passage: .copied, delivers: twice) { up, inputs in
          up.exhaustMap { value in
            try inputs.visit(value)
            return .sequence([value, value])
          }
        },
        OperatorForm(
          "later", passage: .some, mixesSenders: true, delivery: .partlyScheduled, load: .valuesMayBeDropped,
          exemptions: [
            .nestedSends:
              "while a handler runs, the inner signal has not finished, so what the handler sends is left out"
          ]
        ) { up, inputs in
          up.exhaustMap { value in Signal.just(value).delay(for: inputs.rest, on: inputs.scheduler) }
        },
      ],
      chains: [
        LeakChain("exhaustMap, of the same source") { up, _ in up.exhaustMap { value in up.map { $0 + value } } }
      ],
      fixtures: ["exhaustMap": { try $0.source(named: "outer").exhaustMap($0.project()) }],
      diagrams: [
        #"source.exhaustMap { $0 == "b" ? b : a }"#: { row in
          let (source, a, b) = try (row.texts("source"), row.texts("a"), row.texts("b"))
          return shown(source.exhaustMap { $0 == "b" ? b : a })
        }
      ],
      costs: [
        CostSample { $0.first.signal.exhaustMap { .just($0) }.subscribe { _ in } },
        CostSample("inner emitter") { rig in
          rig.first.signal.exhaustMap { _ in rig.second.signal }.subscribe { _ in }
        },
      ]),

    OperatorEntry(
      "switchToLatest", file: "Operators/SwitchToLatest.swift",
      forms: [
        OperatorForm(passage: .copied, delivers: twice) { up, _ in
          up.map { .sequence([$0, $0]) }.switchToLatest()
        }
      ],
      diagrams: [
        #"source.map { $0 == "a" ? a : b }.switchToLatest()"#: { row in
          let (source, a, b) = try (row.texts("source"), row.texts("a"), row.texts("b"))
          return shown(source.map { $0 == "a" ? a : b }.switchToLatest())
        }
      ],
      costs: [CostSample { $0.first.signal.map { .just($0) }.switchToLatest().subscribe { _ in } }]),

    OperatorEntry(
      "flatten", file: "Operators/Flatten.swift",
      forms: [
        OperatorForm(passage: .copied, delivers: twice) { up, _ in up.map { .sequence([$0, $0]) }.flatten() },
        OperatorForm("one at a time", passage: .copied, delivers: twice) { up, _ in
          up.map { .sequence([$0, $0]) }.flatten(maxConcurrent: 1)
        },
      ],
      diagrams: [
        #"source.map { $0 == "a" ? a : b }.flatten()"#: { row in
          let (source, a, b) = try (row.texts("source"), row.texts("a"), row.texts("b"))
          return shown(source.map { $0 == "a" ? a : b }.flatten())
        },
        #"source.map { $0 == "a" ? a : b }.flatten(maxConcurrent: 1)"#: { row in
          let (source, a, b) = try (row.texts("source"), row.texts("a"), row.texts("b"))
          return shown(source.map { $0 == "a" ? a : b }.flatten(maxConcurrent: 1))
        },
      ],
      costs: [CostSample { $0.first.signal.map { .just($0) }.flatten().subscribe { _ in } }]),

    OperatorEntry(
      "expand", file: "Operators/Expand.swift",
      forms: [
        OperatorForm { up, inputs in
          up.expand { value in
            try inputs.visit(value)
            return .empty()
          }
        },
        OperatorForm("once more", passage: .copied, delivers: twice) { up, _ in
          up.map { ($0, false) }.expand { value, isCopy in isCopy ? .empty() : .sequence([(value, true)]) }.map { $0.0 }
        },
        OperatorForm("one at a time", passage: .copied, delivers: twice) { up, _ in
          up.map { ($0, false) }.expand(maxConcurrent: 1) { value, isCopy in
            isCopy ? .empty() : .just((value, true))
          }.map { $0.0 }
        },
      ],
      chains: [
        LeakChain("expand, of the same source") { up, _ in
          up.expand { value in value > 1_000 ? .empty() : up.prefix(1).map { $0 + 1_000 } }
        }
      ],
      diagrams: [
        "source.expand { n in n < 4 ? more.map { _ in 2 * n } : .empty() }": { row in
          let (source, more) = try (row.numbers("source"), row.texts("more"))
          return shown(source.expand { n in n < 4 ? more.map { _ in 2 * n } : .empty() })
        }
      ],
      costs: [CostSample { $0.first.signal.expand { _ in .empty() }.subscribe { _ in } }]),

    OperatorEntry(
      "share(replay:keepsRunning:)", file: "Operators/Share.swift",
      forms: [
        OperatorForm(
          outlivesSubscribers: true, remembersValues: true,
          exemptions: [
            .endlessAtOnce: "it goes on without subscribers, so an endless one that delivers at once is not stopped",
            .resubscription: "it has subscribed once and for all, and replays what it remembers, and the end",
            .laterSubscriber: "a later subscriber gets the replayed values",
          ]
        ) { up, _ in up.share(replay: 2, keepsRunning: true) },
        OperatorForm("for some time") { up, inputs in
          up.share(replay: 2, for: inputs.rest, on: inputs.scheduler)
        },
      ],
      fixtures: [
        "share(replay:keepsRunning:)": {
          try $0.source().share(replay: $0.integer("bufferSize") ?? 0, keepsRunning: true)
        }
      ],
      diagrams: [
        "source.share(replay: 1, keepsRunning: true)": { row in
          let source = try row.texts("source")
          return shown(source.share(replay: 1, keepsRunning: true))
        },
        "source.share(replay: 2, for: .milliseconds(4), on: clock)": { row in
          let (source, clock) = (try row.texts("source"), row.scheduler)
          return shown(source.share(replay: 2, for: .milliseconds(4), on: clock))
        },
      ],
      costs: [
        CostSample { $0.first.signal.share(keepsRunning: true).subscribe { _ in } },
        CostSample("for some time") {
          $0.first.signal.share(replay: 1, for: .seconds(1), on: $0.scheduler).subscribe { _ in }
        },
      ]),

    OperatorEntry(
      "multicast", file: "Operators/Multicast.swift",
      forms: [
        OperatorForm(exemptions: [.resubscription: "it is connected once"]) { up, _ in up.multicast().autoconnect() },
        OperatorForm(
          "with replay", remembersValues: true,
          exemptions: [
            .resubscription: "it is connected once", .laterSubscriber: "a later subscriber gets the replayed values",
          ]
        ) { up, _ in up.multicast(replay: 2).autoconnect(after: 0) },
        OperatorForm("for some time", remembersValues: true, exemptions: [.resubscription: "it is connected once"]) {
          up, inputs in
          up.multicast(replay: 2, for: inputs.rest, on: inputs.scheduler).autoconnect()
        },
      ],
      diagrams: [
        "source.multicast().autoconnect(after: 2)": { row in
          let source = try row.texts("source")
          return shown(source.multicast().autoconnect(after: 2))
        }
      ],
      costs: [CostSample { $0.first.signal.multicast().autoconnect().subscribe { _ in } }]),

    OperatorEntry(
      "autoconnect", file: "Core/API/ConnectableSignal.swift", page: "ConnectableSignal/autoconnect(",
      forms: [
        OperatorForm("after one", exemptions: [.resubscription: "it is connected once"]) { up, _ in
          up.multicast().autoconnect(after: 1)
        }
      ]),
  ]
}
