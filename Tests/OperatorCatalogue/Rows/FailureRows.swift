import SignalTesting
import Signals

extension OperatorCatalogue {
  /// Operators that do something about failures.
  static let failures = [
    OperatorEntry(
      "catch", file: "Operators/Catch.swift",
      forms: [OperatorForm(failure: .isReplaced(by: [8])) { up, _ in up.catch { _ in .just(8) } }],
      fixtures: [
        "catch": { context in
          if let values = try context.values("replacementValues") {
            return try context.source().catch { _ in .sequence(values) }
          }
          let replacement = try context.signal(context.required(context.string("replacement"), "replacement"))
          return try context.source().catch { _ in replacement }
        }
      ],
      diagrams: [
        "source.catch { _ in other }": { row in
          let (source, other) = try (row.texts("source"), row.texts("other"))
          return shown(source.catch { _ in other })
        }
      ],
      costs: [CostSample { $0.first.signal.catch { _ in .empty() }.subscribe { _ in } }]),

    OperatorEntry(
      "retry", file: "Operators/Retry.swift",
      forms: [OperatorForm(resubscribes: true) { up, _ in up.retry(2) }],
      fixtures: ["retry": { try $0.source().retry($0.integer("count")) }],
      diagrams: [
        "source.retry(1)": { row in
          let source = try row.texts("source")
          return shown(source.retry(1))
        }
      ],
      costs: [CostSample { $0.first.signal.retry(3).subscribe { _ in } }]),
  ]
}
