import SignalTesting
import Signals

extension OperatorCatalogue {
  /// The ways to write an operator of one's own.
  static let own = [
    OperatorEntry(
      "lift", file: "Core/API/Signal+Lift.swift",
      forms: [
        OperatorForm(keepsPlace: true) { up, inputs in
          up.lift(Site("own", fileID: #fileID, line: #line, function: #function), state: 0) {
            count, value, downstream in
            count += 1
            try inputs.visit(value)
            try downstream.send(value)
          }
        },
        OperatorForm("with an end", keepsPlace: true, atFinish: [98, 99]) { up, inputs in
          up.lift(Site("own", fileID: #fileID, line: #line, function: #function), state: 98) {
            _, value, downstream in
            try inputs.visit(value)
            try downstream.send(value)
          } end: { last, completion, downstream in
            guard case .finished = completion else { return }
            try downstream.send(last)
            try downstream.send(last + 1)
          }
        },
      ]),

    OperatorEntry(
      "lift(_:stateless:)", file: "Core/Stages/Signal+Stages.swift",
      forms: [
        OperatorForm(keepsPlace: true) { up, inputs in
          up.lift(
            Site("own", fileID: #fileID, line: #line, function: #function),
            stateless: { value -> Int? in
              try inputs.visit(value)
              return value
            })
        }
      ]),

    OperatorEntry(
      "unsafeLift", file: "Core/API/Signal.swift",
      forms: [
        OperatorForm(keepsPlace: true) { up, _ in
          up.unsafeLift(Site("own", fileID: #fileID, line: #line, function: #function)) { downstream in
            Observer(for: downstream) { try downstream.receive($0) }
          }
        }
      ]),
  ]
}
