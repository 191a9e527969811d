import OperatorCatalogue
import SignalTesting
import Signals

/// The operators of random graphs: all that the law tests know, and ways of nesting that matter when several threads send.
enum Rows {
  static let all = OperatorCatalogue.forms + nested + [elsewhere, oneByOne]

  private static let nested = Nesting.allCases.map { nesting in
    OperatorForm("inside \(nesting)") { up, _ in nesting.nest(up) }
  }

  /// Each value comes from another thread while its inner signal is being connected.
  private static let elsewhere = OperatorForm("flatMap, elsewhere", mixesSenders: true) { up, _ in
    up.flatMap { value in
      Signal { producer in
        producer.send(Stamp.unmarked)
        Helpers.shared.andWait { producer.send(value) }
        producer.send(Stamp.unmarked)
        producer.finish()
      }
    }
  }

  /// The inner signals end later, so that values wait for their turn.
  private static let oneByOne = OperatorForm(
    "flatMap, one at a time, later", mixesSenders: true, delivery: .partlyScheduled
  ) { up, inputs in
    up.flatMap(maxConcurrent: 1) { value in Signal.just(value).receive(on: inputs.scheduler) }
  }
}
