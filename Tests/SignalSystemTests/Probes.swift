import Dispatch
import Foundation
import Signals
import Synchronization
import Testing

/// What a subscription has delivered, and a way to wait for more of it.
final class Received<Value: Sendable>: Sendable {
  private let stored = Mutex<[Event<Value>]>([])

  var events: [Event<Value>] { stored.withLock { $0 } }

  var values: [Value] {
    events.compactMap { if case .value(let value) = $0 { value } else { nil } }
  }

  var failure: (any Error)? {
    for case .failed(let error) in events { return error }
    return nil
  }

  var isFinished: Bool {
    if case .finished = events.last { true } else { false }
  }

  func append(_ event: Event<Value>) { stored.withLock { $0.append(event) } }
}

extension Signal {
  func receive(into received: Received<Value>) -> Subscription {
    subscribeToEvents { received.append($0) }
  }
}

/// Waits until a condition holds, at most half a minute; the machine may be busy.
func eventually(
  _ comment: Comment, _ location: SourceLocation = #_sourceLocation, _ condition: @Sendable () -> Bool
) async throws {
  let clock = ContinuousClock()
  let end = clock.now + .seconds(30)
  while !condition() {
    try #require(clock.now < end, comment, sourceLocation: location)
    await Task.yield()
  }
}

/// A pipe whose ends are closed with it.
final class Pipe: Sendable {
  let reading: Int32
  let writing: Int32
  private let isOpen = Mutex(true)

  init() {
    var ends: [Int32] = [-1, -1]
    _ = makePipe(&ends)
    (reading, writing) = (ends[0], ends[1])
  }

  func send(_ text: String) {
    let bytes = Array(text.utf8)
    _ = write(writing, bytes, bytes.count)
  }

  func closeWriting() {
    let wasOpen = isOpen.withLock { isOpen in
      defer { isOpen = false }
      return isOpen
    }
    if wasOpen { close(writing) }
  }

  deinit {
    closeWriting()
    close(reading)
  }
}

private func makePipe(_ ends: inout [Int32]) -> Int32 { pipe(&ends) }
