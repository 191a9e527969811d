import Foundation
package import Signals

/// The events of one or several subscriptions, in the order in which they came.
package final class EventLog<Value: Sendable>: Sendable {
  private let stored = Box<[Event<Value>]>([])

  package init() {}

  package var events: [Event<Value>] { stored.value }

  package var values: [Value] {
    events.compactMap { if case .value(let value) = $0 { value } else { nil } }
  }

  /// Everything that is not a value.
  package var ends: [Event<Value>] {
    events.filter { if case .value = $0 { false } else { true } }
  }

  package func append(_ event: Event<Value>) {
    stored.withLock { $0.append(event) }
  }
}

extension Signal {
  /// Subscribes and writes every event into a log.
  package func log(to log: EventLog<Value>) -> Subscription {
    subscribeToEvents({ log.append($0) })
  }
}

/// A list that several threads append to.
package final class Journal<Element: Sendable>: Sendable {
  private let stored = Box<[Element]>([])

  package init() {}

  package var entries: [Element] { stored.value }

  package func append(_ element: Element) {
    stored.withLock { $0.append(element) }
  }
}

/// A variable that closures on several threads share; what it held before is released outside its lock.
///
/// The lock is one that the thread sanitizer sees.
// Safe: `stored` is touched only under `lock`.
package final class Box<Value: Sendable>: @unchecked Sendable {
  private let lock = NSLock()
  private var stored: Value

  package init(_ value: Value) {
    stored = value
  }

  package var value: Value {
    get { withLock { $0 } }
    set {
      var old = newValue
      withLock { swap(&$0, &old) }
      withExtendedLifetime(old) {}
    }
  }

  package func withLock<Result, Failure>(_ body: (inout Value) throws(Failure) -> Result) throws(Failure) -> Result {
    lock.lock()
    defer { lock.unlock() }
    return try body(&stored)
  }
}

/// The error that tests throw and send.
package struct Failure: Error, Equatable {
  package var number: Int

  package init(number: Int = 0) { self.number = number }
}
