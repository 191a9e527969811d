public import Observation
public import Signals
import Synchronization

extension MarbleTest {
  /// Returns a signal of a closure that reads `@Observable` objects: its value on subscription, and after each change
  /// of a property that it has read.
  ///
  /// ```swift
  /// import Observation
  ///
  /// @MainActor @Observable final class Search {
  ///   var text = ""
  ///   var results: [String] = []
  /// }
  ///
  /// @MainActor @Test func clearsItsResults() {
  ///   marbles { m in
  ///     let search = Search()
  ///     m.at(.milliseconds(3)) { search.results = ["marble"] }
  ///     m.at(.milliseconds(7)) { search.results = [] }
  ///     m.expect(m.observing { search.results.count }, "{0}---1---0")
  ///   }
  /// }
  /// ```
  ///
  /// The closure has the isolation of the test, so it may read main actor state in a main actor test. The system
  /// announces a change before it is made: the closure reads again directly after the work item that makes it. So the
  /// changes by one closure of ``at(_:fileID:filePath:line:column:_:)``, one event or one step of a task arrive as one
  /// value, the last, and those by two as two, even at one instant.
  ///
  /// At the end of its subscription, or of the test, the closure reads once more: a value that has changed without a
  /// notification, such as one that no `@Observable` object has, fails the test if it is `Equatable`.
  ///
  /// - Parameter value: Reads the value to deliver. An error that it throws fails the signal.
  /// - Returns: A signal for this test, which does not end.
  public func observing<Value: Sendable>(
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column,
    function: StaticString = #function, _ value: @escaping () throws -> Value
  ) -> Signal<Value> {
    let reading = ThreadBound<Void, Value>(value)
    let source = MarbleSource(fileID: fileID, filePath: filePath, line: line, column: column)
    let check = ObservingCheck(reading: reading, source: source)
    add(check, until: 0)
    return Signal(named: "observing", fileID: fileID, line: line, function: function) {
      [scheduler, loops = check.loops] producer in
      let loop = ObservationReader(producer: producer, scheduler: scheduler, reading: reading)
      // The system retains a registration until the next change. So it references the loop weakly.
      producer.onDisposal { loop.noteEnd() }
      loops.add(loop)
      loop.read()
    }
  }

  /// Observes a property of an `@Observable` object and expects the events of a diagram; `{ }` is its value at the
  /// start of the test.
  ///
  /// ```swift
  /// import Observation
  ///
  /// @Observable final class Counter {
  ///   var count = 0
  /// }
  ///
  /// @Test func countsClicks() {
  ///   marbles { m in
  ///     let counter = Counter()
  ///     m.at(.milliseconds(2)) { counter.count += 1 }
  ///     m.at(.milliseconds(4)) { counter.count += 1 }
  ///     m.expect(counter, \.count, "{0}--1-2")
  ///   }
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - object: The object. It may belong to the main actor if the test does. It is retained until the test is over.
  ///   - keyPath: The property, which may be a computed one.
  ///   - diagram: The expected values; see ``observing(fileID:filePath:line:column:function:_:)``.
  ///   - subscription: The time to begin (`^`, by default the start) and to stop (`!`, by default never).
  public func expect<Object: AnyObject & Observable, Value: Sendable & Equatable & LosslessStringConvertible>(
    _ object: Object, _ keyPath: KeyPath<Object, Value>, _ diagram: String, subscription: String? = nil,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
  ) {
    let source = MarbleSource(fileID: fileID, filePath: filePath, line: line, column: column)
    observe(
      observing(fileID: fileID, filePath: filePath, line: line, column: column) { object[keyPath: keyPath] },
      MarbleText(diagram, source: source),
      .literal(), subscription: subscription.map { MarbleText($0, source: source) }, isStrict: true, argument: 2, by: ==
    )
  }

  /// Observes a property of an `@Observable` object and expects the events of a diagram whose keys are values of any
  /// type.
  ///
  /// - Parameters:
  ///   - object: The object. It may belong to the main actor if the test does. It is retained until the test is over.
  ///   - keyPath: The property, which may be a computed one.
  ///   - diagram: The expected values; see ``observing(fileID:filePath:line:column:function:_:)``.
  ///   - values: The values of the diagram's keys; each has to be used.
  ///   - subscription: The time to begin (`^`, by default the start) and to stop (`!`, by default never).
  public func expect<Object: AnyObject & Observable, Value: Sendable & Equatable>(
    _ object: Object, _ keyPath: KeyPath<Object, Value>, _ diagram: String, values: [String: Value],
    subscription: String? = nil,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
  ) {
    let source = MarbleSource(fileID: fileID, filePath: filePath, line: line, column: column)
    observe(
      observing(fileID: fileID, filePath: filePath, line: line, column: column) { object[keyPath: keyPath] },
      MarbleText(diagram, source: source),
      MarbleValues(values), subscription: subscription.map { MarbleText($0, source: source) }, isStrict: true,
      argument: 2, by: ==)
  }
}

/// Reads a value, and reads it again after each change of its inputs.
private final class ObservationReader<Value: Sendable>: Sendable {
  private let producer: Producer<Value>
  private let scheduler: VirtualTimeScheduler
  private let reading: ThreadBound<Void, Value>
  /// The latest value; nil while an announced change has not been read.
  private let latest = Mutex<Value?>(nil)
  private let changeAtEnd = Mutex<(latest: String, now: String)?>(nil)

  init(producer: Producer<Value>, scheduler: VirtualTimeScheduler, reading: ThreadBound<Void, Value>) {
    self.producer = producer
    self.scheduler = scheduler
    self.reading = reading
  }

  func read() {
    guard producer.isActive else { return }
    let result = withObservationTracking {
      Result { try reading.call() }
    } onChange: { [weak self, scheduler] in
      self?.latest.withLock { $0 = nil }
      scheduler.scheduleBehind { [weak self] in self?.read() }
    }
    // Registered before it is delivered: a handler may change the object.
    switch result {
    case .success(let value?):
      latest.withLock { $0 = value }
      producer.send(value)
    case .success(nil):
      producer.fail(
        MarbleRunError("m.observing { } is read outside of the test, or on a thread other than the test's."))
    case .failure(let error): producer.fail(error)
    }
  }

  /// Checks for a change without notification, before the reading ends.
  func noteEnd() {
    let change = unseenChange
    changeAtEnd.withLock { $0 = change }
    latest.withLock { $0 = nil }
  }

  /// The latest value and the one at the end, if they differ without a notification.
  var change: (latest: String, now: String)? { changeAtEnd.withLock { $0 } ?? unseenChange }

  private var unseenChange: (latest: String, now: String)? {
    guard let latest = latest.withLock({ $0 }), let now = try? reading.call(), let known = latest as? any Equatable
    else { return nil }
    // Values that are not equal to themselves, such as NaN, cannot be distinguished.
    func isSame<Known: Equatable>(as known: Known) -> Bool {
      (now as? Known).map { $0 == known || ($0 != $0 && known != known) } ?? true
    }
    return isSame(as: known) ? nil : ("\(latest)", "\(now)")
  }
}

/// The loops of one closure.
private final class ObservationReaders<Value: Sendable>: Sendable {
  private let all = Mutex<[ObservationReader<Value>]>([])

  func add(_ reader: ObservationReader<Value>) { all.withLock { $0.append(reader) } }

  /// Returns all of them, once.
  func take() -> [ObservationReader<Value>] {
    all.withLock { all in
      defer { all = [] }
      return all
    }
  }
}

/// Allows a closure to be read while the test runs, and once more at its end.
private struct ObservingCheck<Value: Sendable>: MarbleCheck {
  let reading: ThreadBound<Void, Value>
  let source: MarbleSource
  let loops = ObservationReaders<Value>()

  var isExpectation: Bool { false }

  func schedule(on scheduler: VirtualTimeScheduler) { reading.bind() }

  func verify(_ failures: MarbleFailures) {
    guard let change = loops.take().lazy.compactMap(\.change).first else { return }
    failures.add(
      .reason,
      "m.observing { } read \(change.latest) last, and reads \(change.now) at the end, but no change was announced: what it reads is not observed. "
        + "Read properties of an @Observable object that are not @ObservationIgnored; give the signal of a Property to m.expect itself.",
      at: source)
  }

  func dispose() {
    _ = loops.take()
    reading.unbind()
  }
}
