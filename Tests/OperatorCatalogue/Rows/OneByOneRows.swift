import SignalTesting
import Signals

extension OperatorCatalogue {
  /// Operators that take one value at a time from one upstream.
  static let oneByOne = [
    OperatorEntry(
      "map", file: "Operators/Map.swift",
      forms: [
        OperatorForm(keepsPlace: true, delivers: { $0.map { $0 + 1 } }) { up, inputs in
          up.map {
            try inputs.visit($0)
            return $0 + 1
          }
        }
      ],
      fixtures: [
        "map": { context in
          let table = try context.required(context.table("table"), "table")
          let throwing = try context.throwing()
          return try context.source().map {
            try throwing()
            return table[$0.description] ?? $0
          }
        }
      ],
      diagrams: [
        "source.map { $0 * 2 }": { row in
          let source = try row.numbers("source")
          return shown(source.map { $0 * 2 })
        }
      ],
      costs: [CostSample { $0.first.signal.map { $0 &+ 1 }.subscribe { _ in } }]),

    OperatorEntry(
      "filter", file: "Operators/Filter.swift",
      forms: [
        OperatorForm(keepsPlace: true, delivers: { $0.filter { $0 != 2 } }) { up, inputs in
          up.filter {
            try inputs.visit($0)
            return $0 != 2
          }
        }
      ],
      fixtures: [
        "filter": { context in
          let keep = try Set(context.strings("keep"))
          let throwing = try context.throwing()
          return try context.source().filter {
            try throwing()
            return keep.contains($0.description)
          }
        }
      ],
      diagrams: [
        "source.filter { $0.isMultiple(of: 2) }": { row in
          let source = try row.numbers("source")
          return shown(source.filter { $0.isMultiple(of: 2) })
        }
      ],
      costs: [CostSample { $0.first.signal.filter { $0 >= 0 }.subscribe { _ in } }]),

    OperatorEntry(
      "compactMap", file: "Operators/CompactMap.swift",
      forms: [
        OperatorForm(keepsPlace: true, delivers: { $0.filter { $0 != 2 } }) { up, inputs in
          up.compactMap {
            try inputs.visit($0)
            return $0 == 2 ? nil : $0
          }
        }
      ],
      fixtures: [
        "compactMap": { context in
          let table = try context.required(context.table("table"), "table")
          return try context.source().compactMap { table[$0.description] }
        }
      ],
      diagrams: [
        "source.compactMap { Int($0) }": { row in
          let source = try row.texts("source")
          return shown(source.compactMap { Int($0) })
        }
      ],
      costs: [CostSample { $0.first.signal.compactMap { $0 }.subscribe { _ in } }]),

    OperatorEntry(
      "handle", file: "Operators/Handle.swift",
      forms: [
        OperatorForm(keepsPlace: true) { up, inputs in up.handle { try inputs.visit($0) } },
        OperatorForm("all closures", keepsPlace: true) { up, inputs in
          up.handle(onSubscribe: {}, onValue: { try inputs.visit($0) }, onFailure: { _ in }, onFinish: {})
        },
        OperatorForm("until disposal", keepsPlace: true) { up, inputs in
          up.handle(onValue: { try inputs.visit($0) }, onDispose: {})
        },
      ],
      fixtures: ["handle": { try $0.source().handle { _ in } }],
      diagrams: [
        "source.handle(onFinish: { print(0) })": { row in
          let source = try row.texts("source")
          return shown(source.handle(onFinish: { print(0) }))
        },
        "source.handle { print($0) }": { row in
          let source = try row.texts("source")
          return shown(source.handle { print($0) })
        },
      ],
      costs: [CostSample { $0.first.signal.handle { _ in }.subscribe { _ in } }]),

    OperatorEntry(
      "named", file: "Operators/Named.swift",
      forms: [
        OperatorForm(keepsPlace: true) { up, _ in up.named("a name") },
        OperatorForm("with a link", keepsPlace: true) { up, _ in up.named("a name", link: .to("a channel")) },
      ],
      chains: [LeakChain("named, behind map") { up, _ in up.map { $0 }.named("numbers") }],
      fixtures: ["named": { try $0.source().named("a name") }],
      diagrams: [
        #"source.named("search text")"#: { row in
          let source = try row.texts("source")
          return shown(source.named("search text"))
        },
        #"source.named("send orders", link: .to("orders"))"#: { row in
          let source = try row.texts("source")
          return shown(source.named("send orders", link: .to("orders")))
        },
      ],
      costs: [CostSample { $0.first.signal.named("numbers").subscribe { _ in } }]),

    OperatorEntry(
      "prepend", file: "Operators/Prepend.swift",
      forms: [
        OperatorForm(atStart: [0]) { up, _ in up.prepend(0) },
        OperatorForm("contents of", atStart: [7, 8]) { up, _ in up.prepend(contentsOf: [7, 8]) },
      ],
      chains: [
        LeakChain("prepend, cut off", endsAtOnce: true) { up, _ in up.prepend(7, 8).prefix(1) },
        LeakChain("prepend, nested") { up, _ in up.prepend(8).prepend([7]) },
      ],
      fixtures: ["prepend": { try $0.source().prepend(contentsOf: $0.required($0.values("values"), "values")) }],
      diagrams: [
        "source.prepend(8, 9)": { row in
          let source = try row.numbers("source")
          return shown(source.prepend(8, 9))
        },
        "source.prepend(contentsOf: 7...9)": { row in
          let source = try row.numbers("source")
          return shown(source.prepend(contentsOf: 7...9))
        },
      ],
      costs: [CostSample { $0.first.signal.prepend(1).subscribe { _ in } }]),

    OperatorEntry(
      "scan", file: "Operators/Scan.swift",
      forms: [
        OperatorForm("from an initial value", passage: .summed, keepsPlace: true, delivers: sums) { up, inputs in
          up.scan(0) {
            try inputs.visit($1)
            return $0 + $1
          }
        },
        OperatorForm(passage: .summed, keepsPlace: true, delivers: sums) { up, inputs in
          up.scan {
            try inputs.visit($1)
            return $0 + $1
          }
        },
      ],
      fixtures: [
        "scan": { context in
          if let initial = context.fixture.arguments["initial"] { return try context.source().scan(initial, joined) }
          return try context.source().scan(joined)
        }
      ],
      diagrams: [
        "source.scan(3) { $0 + $1 }": { row in
          let source = try row.numbers("source")
          return shown(source.scan(3) { $0 + $1 })
        },
        "source.scan { $0 + $1 }": { row in
          let source = try row.numbers("source")
          return shown(source.scan { $0 + $1 })
        },
      ],
      costs: [CostSample { $0.first.signal.scan(0) { $0 &+ $1 }.subscribe { _ in } }]),

    OperatorEntry(
      "pairwise", file: "Operators/Pairwise.swift",
      forms: [
        OperatorForm(passage: .some, keepsPlace: true, delivers: { Array($0.dropFirst()) }) { up, _ in
          up.pairwise().map { $1 }
        }
      ],
      fixtures: ["pairwise": { try $0.source().pairwise().map { .array([$0, $1]) } }],
      diagrams: [
        "source.pairwise()": { row in
          let source = try row.numbers("source")
          return shown(source.pairwise())
        }
      ],
      costs: [CostSample { $0.first.signal.pairwise().subscribe { _ in } }]),

    OperatorEntry(
      "removeDuplicates", file: "Operators/RemoveDuplicates.swift",
      forms: [
        OperatorForm(
          keepsPlace: true,
          delivers: { values in values.indices.filter { $0 == 0 || values[$0] != values[$0 - 1] }.map { values[$0] } }
        ) { up, _ in up.removeDuplicates() },
        OperatorForm(
          "by a closure", keepsPlace: true,
          delivers: { values in values.indices.filter { $0 == 0 || values[$0] != values[$0 - 1] }.map { values[$0] } }
        ) { up, inputs in
          up.removeDuplicates {
            try inputs.visit($1)
            return $0 == $1
          }
        },
      ],
      fixtures: ["removeDuplicates": { try $0.source().removeDuplicates() }],
      diagrams: [
        "source.removeDuplicates()": { row in
          let source = try row.texts("source")
          return shown(source.removeDuplicates())
        },
        "source.removeDuplicates { $0 / 2 == $1 / 2 }": { row in
          let source = try row.numbers("source")
          return shown(source.removeDuplicates { $0 / 2 == $1 / 2 })
        },
      ],
      costs: [CostSample { $0.first.signal.removeDuplicates().subscribe { _ in } }]),

    OperatorEntry(
      "dropFirst", file: "Operators/DropFirst.swift",
      forms: [
        OperatorForm(passage: .some, keepsPlace: true, delivers: { Array($0.dropFirst()) }) { up, _ in up.dropFirst() }
      ],
      fixtures: ["dropFirst": { try $0.source().dropFirst($0.integer("count") ?? 1) }],
      diagrams: [
        "source.dropFirst(2)": { row in
          let source = try row.texts("source")
          return shown(source.dropFirst(2))
        }
      ],
      costs: [CostSample { $0.first.signal.dropFirst().subscribe { _ in } }]),

    OperatorEntry(
      "prefix", file: "Operators/Prefix.swift",
      forms: [
        OperatorForm(passage: .some, keepsPlace: true, delivers: { Array($0.prefix(3)) }) { up, _ in up.prefix(3) },
        OperatorForm(
          // Its end comes while it is being subscribed to, wherever that is.
          "none", passage: .some, delivers: { _ in [] },
          exemptions: [.never: "prefix(0) finishes at once (law 16)"]
        ) { up, _ in up.prefix(0) },
      ],
      fixtures: ["prefix": { try $0.source().prefix($0.required($0.integer("count"), "count")) }],
      diagrams: [
        "source.prefix(2)": { row in
          let source = try row.texts("source")
          return shown(source.prefix(2))
        }
      ],
      costs: [CostSample { $0.first.signal.prefix(.max).subscribe { _ in } }]),

    OperatorEntry(
      "prefix(untilOutputFrom:)", file: "Operators/PrefixUntilOutput.swift",
      forms: [OperatorForm { up, inputs in up.prefix(untilOutputFrom: inputs.other.filter { _ in false }) }],
      chains: [
        LeakChain("prefix(untilOutputFrom:), of the same source") { up, _ in up.prefix(untilOutputFrom: up.dropFirst(2))
        }
      ],
      fixtures: [
        "prefix(untilOutputFrom:)": {
          try $0.source().prefix(untilOutputFrom: $0.signal($0.required($0.string("notifier"), "notifier")))
        }
      ],
      diagrams: [
        "source.prefix(untilOutputFrom: other)": { row in
          let (source, other) = try (row.texts("source"), row.texts("other"))
          return shown(source.prefix(untilOutputFrom: other))
        }
      ],
      costs: [CostSample { $0.first.signal.prefix(untilOutputFrom: $0.second.signal).subscribe { _ in } }]),
  ]

  @Sendable private static func sums(_ values: [Int]) -> [Int] {
    values.indices.map { values[...$0].reduce(0, +) }
  }
}
