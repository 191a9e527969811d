import Signals
import Synchronization

extension MarbleTest {
  /// Starts a task under virtual time when the test runs, after the subscriptions at its start.
  ///
  /// ```swift
  /// @Test func sendsAfterAPause() {
  ///   marbles { m in
  ///     let emitter = Emitter<String>()
  ///     m.expect(emitter.signal, "---a--(b|)")
  ///     m.task { [scheduler = m.scheduler] in
  ///       try await scheduler.sleep(for: .milliseconds(3))
  ///       emitter.send("a")
  ///       try await scheduler.sleep(for: .milliseconds(3))
  ///       emitter.send("b")
  ///       emitter.finish()
  ///     }
  ///   }
  /// }
  /// ```
  ///
  /// Tasks that it starts are in virtual time as well: `Task { }`, detached tasks, task groups, actors. The test fails
  /// at this line if the task throws, if it has not finished although no work is left, and if it leaves virtual time;
  /// see <doc:VirtualTimeForAnyCode>.
  ///
  /// - Parameter operation: The task's operation.
  public func task(
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column,
    _ operation: @escaping @Sendable () async throws -> Void
  ) {
    let source = MarbleSource(fileID: fileID, filePath: filePath, line: line, column: column)
    _ = declare(at: MarbleText("", source: source)) {
      let site = Site("task", behavior: .runsTasks, fileID: fileID, line: line, function: "")
      add(TaskCheck(source: source, site: site, world: world, operation: operation), until: 0)
    }
  }

  /// Reads an asynchronous sequence under virtual time and expects the events of a diagram.
  ///
  /// - Parameters:
  ///   - elements: The sequence under test. It is read in a task of the test's ``scheduler``.
  ///   - diagram: The elements, the end and the error, in time since the start of the test.
  ///   - values: The values of the diagram's keys; each has to be used.
  ///   - error: The error that `#` expects; any error by default.
  ///   - errors: The errors that `#name` expects.
  public func expect<Elements: AsyncSequence & Sendable>(
    _ elements: Elements, _ diagram: String, values: [String: Elements.Element], error: (any Error)? = nil,
    errors: [String: any Error] = [:],
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
  ) where Elements.Element: Sendable & Equatable {
    expect(
      signal(
        of: elements, for: MarbleSource(fileID: fileID, filePath: filePath, line: line, column: column),
        at: Site("expect", fileID: fileID, line: line, function: "")),
      diagram,
      values: values, error: error, errors: errors, fileID: fileID, filePath: filePath,
      line: line, column: column)
  }

  /// Reads an asynchronous sequence under virtual time; the keys of the diagram are the elements themselves.
  ///
  /// ```swift
  /// @Test func countsDown() {
  ///   marbles { m in
  ///     let seconds = AsyncStream { [scheduler = m.scheduler] continuation in
  ///       let bag = DisposeBag()
  ///       Signal.interval(every: .milliseconds(2), on: scheduler).prefix(3)
  ///         .subscribe(onValue: { continuation.yield(3 - $0) }, onFinish: { continuation.finish() })
  ///         .store(in: bag)
  ///       continuation.onTermination = { _ in bag.close() }
  ///     }
  ///     m.expect(seconds, "--3-2-(1|)")
  ///   }
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - elements: The sequence under test. It is read in a task of the test's ``scheduler``.
  ///   - diagram: The elements, the end and the error, in time since the start of the test.
  ///   - error: The error that `#` expects; any error by default.
  ///   - errors: The errors that `#name` expects.
  public func expect<Elements: AsyncSequence & Sendable>(
    _ elements: Elements, _ diagram: String, error: (any Error)? = nil, errors: [String: any Error] = [:],
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
  ) where Elements.Element: Sendable & Equatable & LosslessStringConvertible {
    expect(
      signal(
        of: elements, for: MarbleSource(fileID: fileID, filePath: filePath, line: line, column: column),
        at: Site("expect", fileID: fileID, line: line, function: "")),
      diagram,
      error: error, errors: errors, fileID: fileID, filePath: filePath, line: line,
      column: column)
  }

  private func signal<Elements: AsyncSequence & Sendable>(
    of elements: Elements, for source: MarbleSource, at site: Site
  ) -> Signal<Elements.Element>
  where Elements.Element: Sendable {
    let elements = UnreadSequence(elements)
    return Signal { [scheduler, world] producer in
      let reading = SequenceReading(site)
      let task = world.starting(from: source) {
        scheduler.task(at: site, isWatched: true) {
          defer { reading.noteEnd() }
          do {
            try await elements.read { producer.send($0) }
            producer.finish()
          } catch {
            producer.fail(error)
          }
        }
      }
      producer.onDisposal {
        reading.noteDisposal()
        task.cancel()
      }
    }
  }
}

/// A sequence that is released as soon as it has been read: a stream terminates its producer when it is released.
private final class UnreadSequence<Elements: AsyncSequence & Sendable>: Sendable {
  private let elements: Mutex<Elements?>

  init(_ elements: Elements) { self.elements = Mutex(elements) }

  /// Reads the sequence. It is empty if it has been read before: an expectation subscribes once.
  func read(_ body: (Elements.Element) -> Void) async throws {
    guard let elements = take() else { return }
    for try await element in elements { body(element) }
  }

  /// Never inlined into the asynchronous function, as `TaskCheck.note(_:)`.
  @inline(never)
  private func take() -> Elements? { elements.withLock { $0.take() } }
}

private final class TaskCheck: MarbleCheck, Sendable {
  private struct State {
    var task: Task<Void, any Error>?
    var result: Result<Void, any Error>?
  }

  private let source: MarbleSource
  private let site: Site
  private let world: VirtualWorld
  private let operation: @Sendable () async throws -> Void
  private let isBackground = VirtualWorld.isBackground
  private let state = Mutex(State())

  init(source: MarbleSource, site: Site, world: VirtualWorld, operation: @escaping @Sendable () async throws -> Void) {
    self.source = source
    self.site = site
    self.world = world
    self.operation = operation
  }

  func schedule(on scheduler: VirtualTimeScheduler) {
    let task = VirtualWorld.$isBackground.withValue(isBackground) {
      world.starting(from: source) {
        VirtualWorld.runningTest {
          scheduler.task(at: site, isWatched: true) { [self] in
            do {
              try await operation()
              note(.success(()))
            } catch {
              note(.failure(error))
            }
          }
        }
      }
    }
    state.withLock { $0.task = task }
  }

  /// Never inlined into the asynchronous function: there the compiler computes the mutex's thread once, before a
  /// suspension, and uses it after that.
  @inline(never)
  private func note(_ result: Result<Void, any Error>) { state.withLock { $0.result = result } }

  var isDecidedWithoutEnd: Bool { isBackground || state.withLock { $0.result } != nil }

  func verify(_ failures: MarbleFailures) {
    switch state.withLock({ $0.result }) {
    case .success: break
    case .failure(let error): failures.add(.reason, "The task threw \(error).", at: source)
    case nil: if !isBackground { world.noteUnfinished(source) }
    }
  }

  func dispose() { state.withLock { $0.task }?.cancel() }
}
