import Foundation
import Signals

/// The events of one or several subscriptions, in the order in which they came.
final class EventLog<Value: Sendable>: Sendable {
  private let stored = Box<[Event<Value>]>([])

  var events: [Event<Value>] { stored.value }

  var values: [Value] {
    events.compactMap { if case .value(let value) = $0 { value } else { nil } }
  }

  /// Everything that is not a value.
  var ends: [Event<Value>] {
    events.filter { if case .value = $0 { false } else { true } }
  }

  func append(_ event: Event<Value>) {
    stored.withLock { $0.append(event) }
  }
}

extension Signal {
  /// Subscribes and writes every event into a log.
  func log(to log: EventLog<Value>) -> Subscription {
    subscribeToEvents({ log.append($0) })
  }
}

/// A list that several threads append to.
final class Journal<Element: Sendable>: Sendable {
  private let stored = Box<[Element]>([])

  var entries: [Element] { stored.value }

  func append(_ element: Element) {
    stored.withLock { $0.append(element) }
  }
}

/// A variable that closures on several threads share; what it held before is released outside its lock.
///
/// The lock is one that the thread sanitizer sees.
// Safe: `stored` is touched only under `lock`.
final class Box<Value: Sendable>: @unchecked Sendable {
  private let lock = NSLock()
  private var stored: Value

  init(_ value: Value) {
    stored = value
  }

  var value: Value {
    get { withLock { $0 } }
    set {
      var old = newValue
      withLock { swap(&$0, &old) }
      withExtendedLifetime(old) {}
    }
  }

  func withLock<Result>(_ body: (inout Value) -> Result) -> Result {
    lock.withLock { body(&stored) }
  }
}

/// The error that tests throw and send.
struct Failure: Error, Equatable {
  var number = 0
}
