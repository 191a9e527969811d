import SignalMarbles
public import Signals

/// Reads the events of a signal step by step, for code that does not fit a diagram.
///
/// ```swift
/// @Test func waitsForAPause() throws {
///   let scheduler = VirtualTimeScheduler()
///   let keys = Emitter<String>()
///   let probe = keys.signal.debounce(for: .milliseconds(300), on: scheduler).probe(on: scheduler)
///   keys.send("m")
///   try probe.expectNoEvents(for: .milliseconds(299))
///   #expect(try probe.next() == "m")
///   keys.finish()
///   try probe.finish()
/// }
/// ```
///
/// ``next(timeout:fileID:filePath:line:column:)`` and the other steps have two overloads. The synchronous one advances
/// the virtual time of the probe's scheduler up to the next event, and no further; without a scheduler, it takes only
/// events that have already arrived. The asynchronous one waits for an event from any sender. In a test of virtual
/// time, as in ``MarbleTest/task(fileID:filePath:line:column:_:)-(_,_,_,_,()->Void)``, it waits in virtual time.
///
/// Every event has to be read. Unread events fail the test when the probe is released, at the line that created the
/// probe; those of a probe that is never released fail the process at its exit. Call ``ignoreRest()`` if they do not
/// matter. A step that fails reports a failure at its line, and throws.
public final class SignalProbe<Value: Sendable>: Sendable {
  let queue: ProbeQueue<Value>
  let scheduler: VirtualTimeScheduler?
  private let source: MarbleSource
  private let origin: EventOrigin
  private let bag = DisposeBag()

  init(_ signal: Signal<Value>, scheduler: VirtualTimeScheduler?, source: MarbleSource) {
    self.scheduler = scheduler
    self.source = source
    let start = scheduler?.nanoseconds ?? 0
    let queue = ProbeQueue<Value> { (scheduler?.nanoseconds ?? 0) - start }
    self.queue = queue
    let origin = EventOrigin(of: scheduler)
    self.origin = origin
    bag.insert(
      signal.subscribeToEvents {
        origin.noteEvent()
        queue.append($0)
      })
    ProbesLeft.add(queue, at: source) { Self.complaint(of: queue.rest) }
  }

  deinit { conclude() }

  /// Unsubscribes. Events that have already arrived can still be read.
  public func dispose() { bag.close() }

  /// Ignores events that are unread when the probe is released.
  public func ignoreRest() {
    queue.forgive()
    ProbesLeft.remove(queue)
  }

  /// Unsubscribes, and reports unread events.
  func conclude() {
    bag.close()
    ProbesLeft.remove(queue)
    if let complaint = Self.complaint(of: queue.conclude()) { report(complaint, at: source) }
  }

  /// The message for unread events.
  private static func complaint(of rest: [TimedEvent<Value>]) -> String? {
    guard !rest.isEmpty else { return nil }
    return
      "\(ProbeText.count(rest)) of this probe \(rest.count == 1 ? "was" : "were") not read\n\n\(ProbeText.diagram(rest))"
      .framed
      + "\n  To do: read every event with next(), failure() or finish(), or call ignoreRest()."
  }

  /// Takes the first unread event.
  func take() -> Event<Value>? {
    origin.noteReading()
    return queue.take()
  }

  func failure(_ message: String, _ source: MarbleSource) -> ProbeError {
    report(message, at: source)
    return ProbeError(description: message)
  }
}

/// Messages about the events of a probe.
enum ProbeText {
  static func spoken(_ duration: Duration) -> String {
    duration.exactNanoseconds.map { MarbleDuration.spoken($0) } ?? "\(duration)"
  }

  static func count<Value>(_ events: [TimedEvent<Value>]) -> String {
    events.count == 1 ? "1 event" : "\(events.count) events"
  }

  static func diagram<Value>(_ events: [TimedEvent<Value>]) -> String {
    "received: "
      + RecordedDiagram(events, frame: 1_000_000, values: MarbleValues(), areTextsEnough: true) { _, _ in false }.words
  }
}

extension Signal {
  /// Subscribes to this signal for a test that reads it step by step; see ``SignalProbe``.
  ///
  /// - Parameter scheduler: The virtual time that the synchronous steps advance.
  /// - Returns: The probe, whose release ends the subscription.
  public func probe(
    on scheduler: VirtualTimeScheduler? = nil,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
  ) -> SignalProbe<Value> {
    SignalProbe(
      self, scheduler: scheduler,
      source: MarbleSource(fileID: fileID, filePath: filePath, line: line, column: column))
  }

  /// Subscribes to this signal, runs a closure that reads it step by step, and checks that it has read every event.
  ///
  /// ```swift
  /// @Test func countsDown() throws {
  ///   try Signal.sequence([2, 1]).withProbe { probe in
  ///     #expect(try probe.next() == 2)
  ///     #expect(try probe.next() == 1)
  ///     try probe.finish()
  ///   }
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - scheduler: The virtual time that the synchronous steps advance.
  ///   - body: Reads the events.
  /// - Returns: The result of the closure.
  /// - Throws: Rethrows the errors of the closure; then unread events are no further failure.
  public func withProbe<Result>(
    on scheduler: VirtualTimeScheduler? = nil,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column,
    _ body: (SignalProbe<Value>) throws -> Result
  ) rethrows -> Result {
    let probe = probe(on: scheduler, fileID: fileID, filePath: filePath, line: line, column: column)
    do {
      let result = try body(probe)
      probe.conclude()
      return result
    } catch {
      probe.ignoreRest()
      throw error
    }
  }

  /// Subscribes to this signal, runs an asynchronous closure that reads it step by step, and checks that it has read every event.
  ///
  /// - Parameters:
  ///   - scheduler: The virtual time that the steps advance; without it they wait for a sender.
  ///   - isolation: The isolation of the closure: by default the caller's.
  ///   - body: Reads the events.
  /// - Returns: The result of the closure.
  /// - Throws: Rethrows the errors of the closure; then unread events are no further failure.
  public func withProbe<Result>(
    on scheduler: VirtualTimeScheduler? = nil, isolation: isolated (any Actor)? = #isolation,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column,
    _ body: (SignalProbe<Value>) async throws -> Result
  ) async rethrows -> Result {
    let probe = probe(on: scheduler, fileID: fileID, filePath: filePath, line: line, column: column)
    do {
      let result = try await body(probe)
      probe.conclude()
      return result
    } catch {
      probe.ignoreRest()
      throw error
    }
  }
}
