public import Signals
import Synchronization

extension MarbleTest {
  /// Returns a signal of the elements of an asynchronous sequence, which is read under virtual time: for expectations
  /// of any kind.
  ///
  /// ```swift
  /// @Test func readsLines() {
  ///   marbles { m in
  ///     let (lines, continuation) = AsyncStream.makeStream(of: [String].self)
  ///     m.at(.milliseconds(2)) { continuation.yield(["a", "b"]) }
  ///     m.at(.milliseconds(5)) { continuation.finish() }
  ///     m.expect(m.elements(of: lines), "--x--|", matching: ["x": { $0.count == 2 }])
  ///   }
  /// }
  /// ```
  ///
  /// The sequence need not be `Sendable`; then no other code may use it afterwards. It is read once: a second subscription fails.
  ///
  /// - Parameter elements: The sequence under test, also as `any AsyncSequence<Element, Failure>`. It is read in a task
  ///   of the test's ``scheduler``.
  /// - Returns: A signal that ends, or fails, with the sequence.
  public func elements<Elements: AsyncSequence>(
    of elements: sending Elements,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
  ) -> Signal<Elements.Element> where Elements.Element: Sendable {
    let source = MarbleSource(fileID: fileID, filePath: filePath, line: line, column: column)
    let box = HandedOver(reading(elements))
    return Signal(fileID: fileID, line: line) { [scheduler, world] producer in
      let reading = SequenceReading(Site("elements", fileID: fileID, line: line, function: ""))
      let task = world.starting(from: source) {
        scheduler.task(at: reading.site, isWatched: true) {
          defer { reading.noteEnd() }
          guard let next = box.take() else {
            return producer.fail(MarbleRunError("m.elements(of:) has a second subscription. Call it once for each."))
          }
          do {
            while let element = try await next() { producer.send(element) }
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

  /// Reads an asynchronous sequence that is not `Sendable` under virtual time and expects the events of a diagram.
  ///
  /// - Parameters:
  ///   - elements: The sequence under test, which no other code may use afterwards. It is read in a task of the test's ``scheduler``.
  ///   - diagram: The elements, the end and the error, in time since the start of the test.
  ///   - values: The values of the diagram's keys; each has to be used.
  ///   - error: The error that `#` expects, or an ``ErrorPattern``; any error by default.
  ///   - errors: The errors that `#name` expects, or patterns of them.
  public func expect<Elements: AsyncSequence>(
    _ elements: sending Elements, _ diagram: String, values: [String: Elements.Element], error: (any Error)? = nil,
    errors: [String: any Error] = [:],
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
  ) where Elements.Element: Sendable & Equatable {
    expect(
      self.elements(of: elements, fileID: fileID, filePath: filePath, line: line, column: column), diagram,
      values: values, error: error, errors: errors,
      fileID: fileID, filePath: filePath, line: line, column: column)
  }

  /// Reads an asynchronous sequence that is not `Sendable` under virtual time; the keys of the diagram are the elements
  /// themselves.
  ///
  /// - Parameters:
  ///   - elements: The sequence under test, which no other code may use afterwards. It is read in a task of the test's ``scheduler``.
  ///   - diagram: The elements, the end and the error, in time since the start of the test.
  ///   - error: The error that `#` expects, or an ``ErrorPattern``; any error by default.
  ///   - errors: The errors that `#name` expects, or patterns of them.
  public func expect<Elements: AsyncSequence>(
    _ elements: sending Elements, _ diagram: String, error: (any Error)? = nil, errors: [String: any Error] = [:],
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
  ) where Elements.Element: Sendable & Equatable & LosslessStringConvertible {
    expect(
      self.elements(of: elements, fileID: fileID, filePath: filePath, line: line, column: column), diagram,
      error: error, errors: errors, fileID: fileID,
      filePath: filePath, line: line, column: column)
  }
}

/// Reads one element after the other. Only this closure knows the type of the sequence.
private func reading<Elements: AsyncSequence>(
  _ elements: sending Elements
) -> sending () async throws -> Elements.Element? {
  var iterator: Elements.AsyncIterator?
  return {
    var current = iterator ?? elements.makeAsyncIterator()
    defer { iterator = current }
    return try await current.next()
  }
}

/// A transferred closure, which may be taken once.
// Safe: the closure came as `sending`, so no other code has its captures; it is touched only by the thread that has
// moved `isTaken`.
private final class HandedOver<Element: Sendable>: @unchecked Sendable {
  private var value: (() async throws -> Element?)?
  private let isTaken = Atomic(false)

  init(_ value: sending @escaping () async throws -> Element?) { self.value = value }

  func take() -> (() async throws -> Element?)? {
    guard !isTaken.exchange(true, ordering: .acquiringAndReleasing) else { return nil }
    defer { value = nil }
    return value
  }
}
