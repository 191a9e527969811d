import Foundation
import Measuring
import Results
import SignalTesting
import Signals

/// What tests cost that are written in marbles. One operation is one test, one event or one case.
enum TestKitRows {
  static let all = [trivial, passed, failed, interleavings, fixtures]

  /// A source, an operator and an expectation.
  private static let trivial = Row(
    "marbles { }, a trivial test", operations: 1_000, goals: Goals(timesFaster: nil, nanoseconds: 20_000),
    measuresGraph: false, batch: 10,
    [
      .signals {
        let values = Sum()
        return Row.Run(
          perform: { count in
            for _ in 0..<count {
              marbles { m in
                let source = m.cold("-a-b-|")
                m.expect(source.signal.handle(onValue: { _ in values.value += 1 }), "-a-b-|")
              }
            }
          }, result: { values.value })
      }
    ])

  private static let events = 10_000

  private static let passed = Row(
    "marbles { } with 10,000 events that passes, per event", operations: events,
    goals: Goals(timesFaster: nil, nanoseconds: 2_000), measuresGraph: false, batch: events,
    [.signals { manyEvents(last: "b") }])

  /// The last event is another one; the message goes where nobody reads it.
  private static let failed = Row(
    "marbles { } with 10,000 events that fails, per event", operations: events,
    goals: Goals(timesFaster: nil, nanoseconds: 4_000), measuresGraph: false, batch: events,
    [
      .signals {
        let run = manyEvents(last: "c")
        return Row.Run(
          perform: { count in StandardError.withoutOutput { run.perform(count) } }, result: run.result)
      }
    ])

  private static func manyEvents(last: String) -> Row.Run {
    let values = Sum()
    let start = String(repeating: "-a-b", count: events / 2 - 1) + "-a-"
    let (input, expectation) = (start + "b", start + last)
    return Row.Run(
      perform: { count in
        for _ in 0..<count / events {
          marbles { m in
            let source = m.cold(input)
            m.expect(source.signal.handle(onValue: { _ in values.value += 1 }), expectation)
          }
        }
      }, result: { values.value })
  }

  /// Six events have so many orders.
  private static let orders = 720

  /// Six work items at one moment, each of which sends into the same chain, so that no order comes to the same as another.
  private static let interleavings = Row(
    "exploreInterleavings, 6 events at one moment, per order", operations: 10 * orders,
    goals: Goals(timesFaster: nil, nanoseconds: 50_000), measuresGraph: false, batch: orders,
    [
      .signals {
        let values = Sum()
        return Row.Run(
          perform: { count in
            for _ in 0..<count / orders {
              exploreInterleavings { scheduler in
                let emitter = Emitter<Int>()
                let subscription = emitter.signal.scan(0) { $0 &* 7 &+ $1 }.subscribe { values.value &+= $0 }
                for number in 1...6 { scheduler.schedule { emitter.send(number) } }
                try scheduler.run()
                subscription.dispose()
              }
            }
          }, result: { values.value })
      }
    ])

  /// A file of cases of one operator.
  private static let fixtures = Row(
    "1,000 cases of a fixture file, per case", operations: 1_000,
    goals: Goals(timesFaster: nil, nanoseconds: 200_000), measuresGraph: false, batch: 1_000,
    [
      .signals {
        let cases = (0..<1_000).map { number in
          """
          fixture: prefix \(number): finishes together with the last value
          operator: prefix
          argument count: 2
          hot e1:   -a-b-c-|
          expected: -a-(b|)
          """
        }
        let text = cases.joined(separator: "\n\n")
        let values = Sum()
        let runner = FixtureRunner(operators: [
          "prefix": { context in
            try context.source().handle(onValue: { _ in values.value += 1 }).prefix(context.integer("count") ?? 1)
          }
        ])
        return Row.Run(
          perform: { count in
            for _ in 0..<count / 1_000 {
              for fixture in (try? FixtureParser.parse(text, filePath: "prefix.marbles")) ?? [] { runner.run(fixture) }
            }
          }, result: { values.value })
      }
    ])
}

/// The standard error of the process.
private enum StandardError {
  /// Leaves out what is written to it meanwhile.
  static func withoutOutput<Result>(_ body: () -> Result) -> Result {
    let (kept, nothing) = (dup(STDERR_FILENO), open("/dev/null", O_WRONLY))
    dup2(nothing, STDERR_FILENO)
    defer {
      dup2(kept, STDERR_FILENO)
      close(kept)
      close(nothing)
    }
    return body()
  }
}
