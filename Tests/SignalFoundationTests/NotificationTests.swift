import Foundation
import SignalFoundation
import Signals
import Synchronization
import Testing

/// Delivers notifications.
@Suite("notifications")
struct NotificationTests {
  private struct NotANumber: Error {}
  private final class Poster {}
  private let center = NotificationCenter()
  private let name = Notification.Name("test")

  private final class Log: Sendable {
    private let stored = Mutex<[Int]>([])
    var values: [Int] { stored.withLock { $0 } }
    func append(_ value: Int) { stored.withLock { $0.append(value) } }
  }

  private func post(_ number: Int?, from object: AnyObject? = nil) {
    center.post(name: name, object: object, userInfo: number.map { ["number": $0] })
  }

  @Sendable private static func number(_ notification: Notification) throws -> Int {
    guard let number = notification.userInfo?["number"] as? Int else { throw NotANumber() }
    return number
  }

  @Test("what the closure takes comes inside the post, until the subscription ends")
  func values() {
    let log = Log()
    let numbers = center.events.notifications(named: name, Self.number)
    post(0)
    let subscription = numbers.subscribe { log.append($0) }
    post(1)
    #expect(log.values == [1])
    center.post(name: Notification.Name("other"), object: nil, userInfo: ["number": 5])
    subscription.dispose()
    post(2)
    #expect(log.values == [1])
    let again = numbers.prefix(1).subscribe { log.append($0) }
    post(3)
    post(4)
    #expect(log.values == [1, 3])
    again.dispose()
  }

  @Test("only those of one object; another one at its address is not taken for it")
  func objects() {
    let log = Log()
    var poster: Poster? = Poster()
    let other = Poster()
    let numbers = center.events.notifications(named: name, from: poster, Self.number)
    let subscription = numbers.subscribe { log.append($0) }
    post(1, from: poster)
    post(2, from: other)
    post(3)
    #expect(log.values == [1])
    poster = nil
    for number in 10..<1_000 { post(number, from: Poster()) }
    #expect(log.values == [1])
    let late = numbers.subscribe { log.append($0) }
    post(1_000)
    #expect(log.values == [1])
    subscription.dispose()
    late.dispose()
  }

  @Test("Law 11: what the closure throws fails it, and the observer is removed")
  func failure() {
    let log = Log()
    let failures = Log()
    let subscription = center.events.notifications(named: name, Self.number)
      .subscribe(onValue: { log.append($0) }, onFailure: { _ in failures.append(1) })
    post(1)
    post(nil)
    post(2)
    #expect(log.values == [1])
    #expect(failures.values == [1])
    subscription.dispose()
  }

  @Test("without a closure; the observer goes with the subscription, and takes what it keeps along")
  func release() {
    let log = Log()
    weak var kept: Log?
    do {
      let witness = Log()
      kept = witness
      let subscription = center.events.notifications(named: name) { [witness] _ in witness.append(1) }
        .subscribe { log.append(1) }
      post(nil)
      #expect(log.values == [1])
      subscription.dispose()
    }
    #expect(kept == nil)
    let subscription = center.events.notifications(named: name).subscribe { log.append(2) }
    post(nil)
    #expect(log.values == [1, 2])
    subscription.dispose()
  }
}
