import SignalAsync
import SignalGraph
import SignalRecording
import Synchronization
import Testing

@Suite("A traced AsyncSequence")
struct TracedAsyncSequenceTests {
  private struct Broken: Error, Equatable {}

  private let recorder = GraphRecorder()

  private func numbers(_ count: Int = 3) -> AsyncStream<Int> {
    AsyncStream { continuation in
      for number in 0..<count { continuation.yield(number) }
      continuation.finish()
    }
  }

  private func failing() -> AsyncThrowingStream<Int, any Error> {
    AsyncThrowingStream { continuation in
      continuation.yield(1)
      continuation.finish(throwing: Broken())
    }
  }

  /// What the graph shows: `filter "even" finished 2 <- stream "numbers" finished 4`, as lines of nodes and of edges.
  private func picture() -> (nodes: [String], edges: [String]) {
    let snapshot = recorder.snapshot()
    func title(_ id: UInt64) -> String {
      let node = snapshot.nodes.first { $0.id == id }
      let kind = snapshot.definitions.first { $0.id == node?.definition }?.kind ?? ""
      return "\(kind) \(node?.name ?? "-")"
    }
    return (
      snapshot.nodes.map { "\(title($0.id)) \($0.state) \($0.valueCount)" },
      snapshot.edges.map { "\(title($0.source)) -> \(title($0.target))" }
    )
  }

  @Test("is written down value by value while somebody records")
  func recorded() async throws {
    recorder.events.begin()
    let numbers = numbers().traced("numbers")
    await recorder.record { #expect(await numbers.reduce(0, +) == 3) }
    let events = recorder.events.read(from: 0, limit: 9).events
    #expect(events.map(\.kind) == [.passed, .passed, .passed])
    #expect(Set(events.map(\.node)) == Set(recorder.snapshot().nodes.map(\.id)))
    recorder.events.end()
  }

  @Test("gives what the sequence gives, and shows each iteration with its place, its count and its end")
  func values() async throws {
    let traced = numbers().traced("numbers")
    let line = #line - 1
    var got: [Int] = []
    await recorder.record { for await number in traced { got.append(number) } }
    #expect(got == [0, 1, 2])
    #expect(picture().nodes == ["stream numbers finished 3"])
    let definition = try #require(recorder.snapshot().definitions.first)
    #expect((definition.line, definition.function, definition.isReported) == (line, "values()", true))
    await recorder.record { for await _ in traced {} }
    #expect(recorder.snapshot().definitions.first?.ends?.finished == 2)
  }

  @Test("shows nothing where nothing records, and is not made late")
  func off() async {
    let traced = numbers().traced("numbers")
    var iterator = traced.makeAsyncIterator()
    #expect(await iterator.next() == 0)
    await recorder.record { #expect(await iterator.next() == 1) }
    #expect(recorder.snapshot().nodes.isEmpty)
  }

  @Test("is connected to traced ones above it, also through operators that are not")
  func chain() async {
    let even = numbers(6).traced("numbers").map { $0 * 3 }.filter { $0 % 2 == 0 }.traced("even")
      .prefix(2).traced("first two")
    await recorder.record {
      var got: [Int] = []
      for await number in even { got.append(number) }
      #expect(got == [0, 6])
    }
    #expect(
      Set(picture().edges) == ["stream numbers -> filter even", "filter even -> prefix first two"])
    #expect(
      Set(picture().nodes) == [
        "stream numbers disposed 3", "filter even disposed 2", "prefix first two finished 2",
      ])
  }

  @Test("is connected to those that a closure above it iterates")
  func nested() async {
    let outer = numbers(2).traced("outer").flatMap { _ in numbers(2).traced("inner") }.traced("all")
    await recorder.record { for await _ in outer {} }
    #expect(Set(picture().edges) == ["stream outer -> flatMap all", "stream inner -> flatMap all"])
    #expect(picture().nodes.filter { $0 == "stream inner finished 2" }.count == 2)
  }

  @Test("is connected to those that child tasks of an operator iterate, and not to what its consumer iterates")
  func tasks() async {
    let (first, second) = (numbers(1).traced("first"), numbers(1).traced("second"))
    let merged = AsyncStream<Int>(unfolding: {
      await withTaskGroup(of: Void.self) { group in
        group.addTask { for await _ in first {} }
        group.addTask { for await _ in second {} }
      }
      return nil
    }).traced("merged")
    await recorder.record {
      for await _ in numbers(1).traced("before") { for await _ in merged {} }
    }
    #expect(Set(picture().edges) == ["stream first -> stream merged", "stream second -> stream merged"])
  }

  @Test("fails with the failure of the sequence")
  func failure() async {
    _ = await recorder.record {
      await #expect(throws: Broken()) { for try await _ in failing().traced("failing") {} }
    }
    #expect(picture().nodes == ["throwingStream failing failed 1"])
    #expect(recorder.snapshot().nodes.first?.failure == "Broken()")
  }

  @Test("that is left is told as cancelled, and nothing of it stays")
  func left() async {
    await recorder.record {
      for await _ in numbers().traced("numbers") { break }
    }
    #expect(picture().nodes == ["stream numbers disposed 1"])
    #expect(recorder.retainedNodes.isEmpty)
  }

  @Test("ends when its task is cancelled, as it does untraced, and is told as cancelled")
  func cancellation() async {
    for isThrowing in [false, true] {
      let isWaiting = AsyncStream<Void>.makeStream()
      let task = Task { [recorder] in
        await recorder.record {
          let silent = AsyncStream<Int>(unfolding: {
            isWaiting.continuation.yield()
            let never = AsyncStream<Int> { _ in }
            for await number in never { return number }
            return nil
          })
          if isThrowing {
            let checked = silent.map { _ in 0 }.traced("inner")
            do {
              for try await _ in Checking(base: checked).traced("waiting") {}
            } catch {
              return error is CancellationError
            }
            return false
          }
          for await _ in silent.traced("waiting") { return false }
          return Task.isCancelled
        }
      }
      for await _ in isWaiting.stream { break }
      task.cancel()
      #expect(await task.value)
      let waiting = picture().nodes.filter { $0.contains(" waiting ") }
      #expect(waiting.allSatisfy { $0.hasSuffix("waiting disposed 0") })
      #expect(waiting.count == (isThrowing ? 2 : 1))
    }
  }

  /// Throws when its task is cancelled.
  private struct Checking<Base: AsyncSequence>: AsyncSequence {
    let base: Base

    struct AsyncIterator: AsyncIteratorProtocol {
      var base: Base.AsyncIterator

      mutating func next() async throws -> Base.Element? {
        let next = try await base.next()
        try Task.checkCancellation()
        return next
      }
    }

    func makeAsyncIterator() -> AsyncIterator { AsyncIterator(base: base.makeAsyncIterator()) }
  }

  @Test("says whether it is waited for, or whoever takes its values is busy")
  func demand() async throws {
    let (stream, continuation) = AsyncStream<Int>.makeStream()
    let seen = Mutex<[Bool?]>([])
    let recorder = recorder
    let note: @Sendable () -> Void = {
      let demand = recorder.snapshot().nodes.first { $0.name == "outer" }?.demand
      seen.withLock { $0.append(demand?.isAsked) }
    }
    await recorder.record {
      let outer = stream.map { number in
        note()
        return number
      }.traced("outer")
      continuation.yield(1)
      continuation.finish()
      var iterator = outer.makeAsyncIterator()
      note()
      _ = await iterator.next()
      note()
      _ = await iterator.next()
      note()
    }
    #expect(seen.withLock { $0 } == [nil, true, false, nil])
  }

  // MARK: As without it

  @MainActor @Test("asks the sequence where it is itself asked")
  func isolation() async {
    struct Isolated: AsyncSequence, AsyncIteratorProtocol {
      typealias Element = Bool

      var isOver = false

      func makeAsyncIterator() -> Isolated { self }

      mutating func next() async -> Bool? { await next(isolation: nil) }

      mutating func next(isolation actor: isolated (any Actor)?) async -> Bool? {
        if isOver { return nil }
        isOver = true
        return actor === MainActor.shared
      }
    }
    var got: [Bool] = []
    await recorder.record {
      for await isMain in Isolated().traced("on the main actor").map({ $0 }).traced("mapped") { got.append(isMain) }
      for await isMain in Isolated().traced("alone") { got.append(isMain) }
      var iterator = Isolated().traced("by hand").makeAsyncIterator()
      if let isMain = await iterator.next(isolation: nil) { got.append(isMain) }
    }
    for await isMain in Isolated().traced("off") { got.append(isMain) }
    var untraced: [Bool] = []
    for await isMain in Isolated().map({ $0 }) { untraced.append(isMain) }
    #expect(got.dropFirst() == [true, false, true])
    #expect(got.prefix(1) == untraced[...])
  }

  private final class Unshared {
    var number = 1
  }

  @MainActor @Test("hands on elements that may not be shared")
  func unshared() async {
    struct Elements: AsyncSequence, AsyncIteratorProtocol {
      typealias Element = Unshared

      var count = 2

      func makeAsyncIterator() -> Elements { self }

      mutating func next(isolation actor: isolated (any Actor)?) async -> Unshared? {
        count -= 1
        return count < 0 ? nil : Unshared()
      }

      mutating func next() async -> Unshared? { await next(isolation: nil) }
    }
    var sum = 0
    await recorder.record {
      for await element in Elements().traced("elements") { sum += element.number }
    }
    #expect(sum == 2)
  }

  @Test("may be sent where the sequence may")
  func sendability() {
    func check(_: some Sendable) -> Bool { true }
    #expect(check(numbers().traced("numbers")))
    #expect(check(numbers().traced("numbers").map { $0 }.traced()))
  }

  @Test("throws nothing where the sequence does not, and the type that it throws")
  func failures() async {
    struct Typed: AsyncSequence, AsyncIteratorProtocol {
      typealias Element = Int
      typealias Failure = Broken

      func makeAsyncIterator() -> Typed { self }

      mutating func next() async throws(Broken) -> Int? { throw Broken() }

      mutating func next(isolation actor: isolated (any Actor)?) async throws(Broken) -> Int? { throw Broken() }
    }
    await recorder.record {
      do throws(Broken) {
        for try await _ in Typed().traced("typed") {}
      } catch {
        let broken: Broken = error
        #expect(broken == Broken())
      }
      var iterator = numbers().traced().makeAsyncIterator()
      #expect(await iterator.next() == 0)
    }
  }

  @Test("gives the same after its end as before it was traced")
  func afterTheEnd() async {
    await recorder.record {
      var iterator = numbers(1).traced("numbers").makeAsyncIterator()
      #expect(await iterator.next() == 0)
      #expect(await iterator.next() == nil)
      #expect(await iterator.next() == nil)
    }
    #expect(picture().nodes == ["stream numbers finished 1"])
  }

  @Test("does not live on in tasks that were started while it was asked")
  func startedTasks() async {
    let (stream, continuation) = AsyncStream<Void>.makeStream()
    let task = Mutex<Task<Void, Never>?>(nil)
    await recorder.record {
      let starting = AsyncStream<Int>(unfolding: {
        task.withLock { $0 = Task { for await _ in stream {} } }
        return 1
      })
      for await _ in starting.traced("starting") { break }
    }
    #expect(picture().nodes == ["stream starting disposed 1"])
    continuation.finish()
    await task.withLock { $0 }?.value
  }
}
