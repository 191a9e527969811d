import SignalTesting
import Signals
import Testing

// The examples of the documentation.

extension Signal {
  fileprivate func every(
    _ count: Int, fileID: StaticString = #fileID, line: UInt = #line, function: StaticString = #function
  ) -> Signal<Value> {
    lift(Site("every", fileID: fileID, line: line, function: function), state: 0) { seen, value, downstream in
      seen += 1
      if seen.isMultiple(of: count) { try downstream.send(value) }
    }
  }

  fileprivate func late(by interval: Duration, on scheduler: any Scheduler) -> Signal<Value> {
    delay(for: interval, on: scheduler)
  }
}

@Sendable private func everySecond(_ values: [Int]) -> [Int] {
  stride(from: 1, to: values.count, by: 2).map { values[$0] }
}

/// Operators as users write them keep the laws, and are described in a line or two.
@Suite struct ContractExampleTests {
  @Test func every() {
    expectLaws(of: "every") { $0.every(2) }
  }

  @Test func everyWithItsValues() {
    expectLaws(of: "every", delivers: everySecond) { $0.every(2) }
  }

  @Test func everyWithOtherValues() {
    expectLaws(of: "every", delivers: { everySecond($0).map { "\($0)" } }) {
      $0.every(2).map { "\($0)" }
    }
  }

  @Test func late() {
    expectLaws(
      of: OperatorContract("late", delivery: .scheduled, delivers: { $0 }) { upstream, inputs in
        upstream.late(by: inputs.rest, on: inputs.scheduler)
      })
  }

  @Test func closure() {
    expectLaws(
      of: OperatorContract("sums", delivers: { values in values.indices.map { values[...$0].reduce(0, +) } }) {
        upstream, inputs in
        upstream.scan(0) { sum, value in
          try inputs.visit(value)
          return sum + value
        }
      })
  }

  /// An operator whose time is built in gets longer frames.
  @Test func builtInTime() {
    expectLaws(
      of: OperatorContract("late", delivery: .scheduled, delivers: { $0 }, frame: .milliseconds(200)) {
        upstream, inputs in upstream.late(by: .milliseconds(300), on: inputs.scheduler)
      })
  }
}
