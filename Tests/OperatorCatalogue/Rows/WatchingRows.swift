import SignalTesting
import Signals

extension OperatorCatalogue {
  /// Operators that change or watch what passes without choosing among it.
  static let watching = [
    OperatorEntry(
      "mapError", file: "Operators/MapError.swift",
      forms: [OperatorForm(keepsPlace: true) { up, _ in up.mapError { $0 } }],
      diagrams: [
        "source.mapError { _ in offline }": { row in
          let (source, offline) = try (row.texts("source"), FixtureError(.string("offline")))
          return shown(source.mapError { _ in offline })
        }
      ],
      costs: [CostSample { $0.first.signal.mapError { $0 }.subscribe { _ in } }]),

    OperatorEntry(
      "replaceError", file: "Operators/ReplaceError.swift",
      forms: [
        OperatorForm(keepsPlace: true, failure: .isReplaced(by: [8])) { up, _ in up.replaceError(with: 8) }
      ],
      fixtures: [
        "replaceError": { context in
          let values = try context.required(context.values("with"), "with")
          return try context.source().replaceError(with: context.required(values.first, "with"))
        }
      ],
      diagrams: [
        #"source.replaceError(with: "z")"#: { row in
          let source = try row.texts("source")
          return shown(source.replaceError(with: "z"))
        }
      ],
      costs: [CostSample { $0.first.signal.replaceError(with: 0).subscribe { _ in } }]),

    OperatorEntry(
      "assertNoFailure", file: "Operators/AssertNoFailure.swift",
      // Failures must not reach it: they would end the process.
      forms: [
        OperatorForm(failure: .isReplaced(by: [8])) { up, _ in up.catch { _ in .just(8) }.assertNoFailure() }
      ],
      diagrams: [
        "source.assertNoFailure()": { row in
          let source = try row.texts("source")
          return shown(source.assertNoFailure())
        }
      ],
      costs: [CostSample { $0.first.signal.assertNoFailure().subscribe { _ in } }]),

    OperatorEntry(
      "print", file: "Operators/Print.swift",
      forms: [OperatorForm(keepsPlace: true) { up, _ in up.print("numbers", to: Silence()) }],
      diagrams: [
        #"source.print("letters", to: console)"#: { row in
          let (source, console) = try (row.texts("source"), Silence())
          return shown(source.print("letters", to: console))
        }
      ],
      costs: [CostSample { $0.first.signal.print("numbers", to: Silence()).subscribe { _ in } }]),

    OperatorEntry(
      "breakpoint", file: "Operators/Breakpoint.swift",
      forms: [
        OperatorForm(keepsPlace: true) { up, inputs in
          up.breakpoint(onValue: {
            try inputs.visit($0)
            return false
          })
        }
      ],
      diagrams: [
        "source.breakpoint(onValue: { $0.isEmpty })": { row in
          let source = try row.texts("source")
          return shown(source.breakpoint(onValue: { $0.isEmpty }))
        }
      ],
      costs: [CostSample { $0.first.signal.breakpoint(onValue: { $0 < 0 }).subscribe { _ in } }]),
  ]
}

/// A stream that writes nothing.
private struct Silence: TextOutputStream, Sendable {
  func write(_ text: String) {}
}
