import SignalTesting
import Signals

/// The calls that the documentation's diagrams show, word for word.
enum DocumentedCalls {
  static let path = #filePath

  static let runner = FixtureRunner(operators: table) { value, _ in
    guard value == .string("TimeoutError") else { return FixtureError(value) }
    return TimeoutError(interval: .milliseconds(4))
  }

  static let table: [String: FixtureRunner.Build] = one.merging(several) { $1 }.merging(timed) { $1 }
    .merging(sources) { $1 }

  // MARK: One input

  private static let one: [String: FixtureRunner.Build] = [
    "source.map { $0 * 2 }": { row in
      let source = try row.numbers("source")
      return shown(source.map { $0 * 2 })
    },
    "source.compactMap { Int($0) }": { row in
      let source = try row.texts("source")
      return shown(source.compactMap { Int($0) })
    },
    "source.filter { $0.isMultiple(of: 2) }": { row in
      let source = try row.numbers("source")
      return shown(source.filter { $0.isMultiple(of: 2) })
    },
    "source.scan(3) { $0 + $1 }": { row in
      let source = try row.numbers("source")
      return shown(source.scan(3) { $0 + $1 })
    },
    "source.scan { $0 + $1 }": { row in
      let source = try row.numbers("source")
      return shown(source.scan { $0 + $1 })
    },
    "source.removeDuplicates()": { row in
      let source = try row.texts("source")
      return shown(source.removeDuplicates())
    },
    "source.removeDuplicates { $0 / 2 == $1 / 2 }": { row in
      let source = try row.numbers("source")
      return shown(source.removeDuplicates { $0 / 2 == $1 / 2 })
    },
    "source.prefix(2)": { row in
      let source = try row.texts("source")
      return shown(source.prefix(2))
    },
    "source.dropFirst(2)": { row in
      let source = try row.texts("source")
      return shown(source.dropFirst(2))
    },
    "source.prepend(8, 9)": { row in
      let source = try row.numbers("source")
      return shown(source.prepend(8, 9))
    },
    "source.prepend(contentsOf: 7...9)": { row in
      let source = try row.numbers("source")
      return shown(source.prepend(contentsOf: 7...9))
    },
    "source.handle(onFinish: { print(0) })": { row in
      let source = try row.texts("source")
      return shown(source.handle(onFinish: { print(0) }))
    },
    "source.handle { print($0) }": { row in
      let source = try row.texts("source")
      return shown(source.handle { print($0) })
    },
    #"source.named("search text")"#: { row in
      let source = try row.texts("source")
      return shown(source.named("search text"))
    },
    "source.retry(1)": { row in
      let source = try row.texts("source")
      return shown(source.retry(1))
    },
    "source.share()": { row in
      let source = try row.texts("source")
      return shown(source.share())
    },
    "source.share(replay: 1)": { row in
      let source = try row.texts("source")
      return shown(source.share(replay: 1))
    },
  ]

  // MARK: Several inputs

  private static let several: [String: FixtureRunner.Build] = [
    "source.catch { _ in other }": { row in
      let (source, other) = try (row.texts("source"), row.texts("other"))
      return shown(source.catch { _ in other })
    },
    "source.prefix(untilOutputFrom: other)": { row in
      let (source, other) = try (row.texts("source"), row.texts("other"))
      return shown(source.prefix(untilOutputFrom: other))
    },
    "source.combineLatest(other)": { row in
      let (source, other) = try (row.texts("source"), row.texts("other"))
      return shown(source.combineLatest(other))
    },
    "combineLatest([source, other])": { row in
      let (source, other) = try (row.texts("source"), row.texts("other"))
      return shown(combineLatest([source, other]))
    },
    "source.withLatest(from: other)": { row in
      let (source, other) = try (row.texts("source"), row.texts("other"))
      return shown(source.withLatest(from: other))
    },
    "source.zip(other)": { row in
      let (source, other) = try (row.texts("source"), row.texts("other"))
      return shown(source.zip(other))
    },
    "source.merge(with: other)": { row in
      let (source, other) = try (row.texts("source"), row.texts("other"))
      return shown(source.merge(with: other))
    },
    "source.concat(other)": { row in
      let (source, other) = try (row.texts("source"), row.texts("other"))
      return shown(source.concat(other))
    },
    #"source.flatMap { $0 == "a" ? a : b }"#: { row in
      let (source, a, b) = try (row.texts("source"), row.texts("a"), row.texts("b"))
      return shown(source.flatMap { $0 == "a" ? a : b })
    },
    #"source.flatMap(maxConcurrent: 1) { $0 == "a" ? a : b }"#: { row in
      let (source, a, b) = try (row.texts("source"), row.texts("a"), row.texts("b"))
      return shown(source.flatMap(maxConcurrent: 1) { $0 == "a" ? a : b })
    },
    #"source.flatMapLatest { $0 == "a" ? a : b }"#: { row in
      let (source, a, b) = try (row.texts("source"), row.texts("a"), row.texts("b"))
      return shown(source.flatMapLatest { $0 == "a" ? a : b })
    },
  ]

  // MARK: Time

  private static let timed: [String: FixtureRunner.Build] = [
    "source.debounce(for: .milliseconds(3), on: scheduler)": { row in
      let (source, scheduler) = try (row.texts("source"), row.scheduler)
      return shown(source.debounce(for: .milliseconds(3), on: scheduler))
    },
    "source.throttle(for: .milliseconds(3), on: scheduler, latest: false)": { row in
      let (source, scheduler) = try (row.texts("source"), row.scheduler)
      return shown(source.throttle(for: .milliseconds(3), on: scheduler, latest: false))
    },
    "source.throttle(for: .milliseconds(3), on: scheduler, latest: true)": { row in
      let (source, scheduler) = try (row.texts("source"), row.scheduler)
      return shown(source.throttle(for: .milliseconds(3), on: scheduler, latest: true))
    },
    "source.delay(for: .milliseconds(3), on: scheduler)": { row in
      let (source, scheduler) = try (row.texts("source"), row.scheduler)
      return shown(source.delay(for: .milliseconds(3), on: scheduler))
    },
    "source.timeout(after: .milliseconds(4), on: scheduler)": { row in
      let (source, scheduler) = try (row.texts("source"), row.scheduler)
      return shown(source.timeout(after: .milliseconds(4), on: scheduler))
    },
    "source.timeout(after: .milliseconds(4), on: scheduler, fallback: other)": { row in
      let (source, other, scheduler) = try (row.texts("source"), row.texts("other"), row.scheduler)
      return shown(source.timeout(after: .milliseconds(4), on: scheduler, fallback: other))
    },
    "source.receive(on: scheduler)": { row in
      let (source, scheduler) = try (row.texts("source"), row.scheduler)
      return shown(source.receive(on: scheduler))
    },
  ]

  // MARK: Sources

  private static let sources: [String: FixtureRunner.Build] = [
    #"Signal.just("a")"#: { _ in shown(Signal.just("a")) },
    "Signal<String>.empty()": { _ in shown(Signal<String>.empty()) },
    "Signal<String>.never()": { _ in shown(Signal<String>.never()) },
    "Signal<String>.fail(error)": { _ in
      let error = FixtureError(.string("error"))
      return shown(Signal<String>.fail(error))
    },
    "Signal.sequence(1...3)": { _ in shown(Signal.sequence(1...3)) },
    "Signal.deferred { source }": { row in
      let source = try row.texts("source")
      return shown(Signal.deferred { source })
    },
    "Signal.timer(after: .milliseconds(4), on: scheduler)": { row in
      let scheduler = row.scheduler
      return shown(Signal.timer(after: .milliseconds(4), on: scheduler))
    },
    "Signal.interval(every: .milliseconds(2), on: scheduler)": { row in
      let scheduler = row.scheduler
      return shown(Signal.interval(every: .milliseconds(2), on: scheduler))
    },
  ]
}

extension FixtureContext {
  fileprivate func texts(_ name: String) throws -> Signal<String> { try signal(name).map { $0.description } }

  fileprivate func numbers(_ name: String) throws -> Signal<Int> {
    try signal(name).map { value in
      guard case .string(let text) = value, let number = Int(text) else {
        throw FixtureArgumentError("\(name) has to send numbers, not \(value).")
      }
      return number
    }
  }
}

// What subscribers get, as diagrams show it.

private func shown<Value>(_ signal: Signal<Value>) -> Signal<FixtureValue> {
  signal.map { .string("\($0)") }
}

private func shown(_ signal: Signal<(String, String)>) -> Signal<FixtureValue> {
  signal.map { .string("(\($0), \($1))") }
}

private func shown(_ signal: Signal<[String]>) -> Signal<FixtureValue> {
  signal.map { .string("[" + $0.joined(separator: ", ") + "]") }
}

/// What the closures of `handle` print does not belong into the output of the tests.
private func print(_ item: Any) {}
