public import Foundation
public import Signals

extension NotificationCenter: EventSource {}

extension Events where Base: NotificationCenter {
  /// Delivers the result of a closure for each notification of a name.
  ///
  /// ```swift
  /// import Foundation
  /// import SignalFoundation
  /// import Signals
  ///
  /// let bag = DisposeBag()
  /// let saved = Notification.Name("saved")
  /// NotificationCenter.default.events
  ///   .notifications(named: saved) { $0.userInfo?["name"] as? String }
  ///   .compacted()
  ///   .subscribe { print("saved as \($0)") }
  ///   .store(in: bag)
  /// NotificationCenter.default.post(name: saved, object: nil, userInfo: ["name": "Notes"])
  /// ```
  ///
  /// A `Notification` is not `Sendable`: it may carry anything. So the closure runs on the posting thread, and the
  /// signal carries its result. Each subscription registers an observer, which is removed when the subscription ends.
  ///
  /// - **Errors:** an error that the closure throws fails the result.
  /// - **Ends:** never.
  /// - **Order and threads:** inside the `post`, on its thread. Add `receive(on: .mainImmediate)` below for
  ///   notifications from other threads.
  /// - **Allocations:** none for a notification, except those of the center and the closure.
  /// - Parameters:
  ///   - name: The name of the notifications; `nil` matches any.
  ///   - object: Only notifications of this object are delivered; `nil` matches any. It is referenced weakly, and a
  ///     later object at the same address does not match.
  ///   - value: Extracts the value from a notification.
  public func notifications<Value: Sendable>(
    named name: Notification.Name?, from object: AnyObject? = nil,
    fileID: StaticString = #fileID, line: UInt = #line, function: StaticString = #function,
    _ value: @escaping @Sendable (Notification) throws -> Value
  ) -> Signal<Value> {
    let center: NotificationCenter = base
    let sender = object.map { Sender(object: $0) }
    return Signal(named: "notifications", fileID: fileID, line: line, function: function) { producer in
      let sought = sender?.object
      if sender != nil, sought == nil { return }
      let observer = center.addObserver(forName: name, object: sought, queue: nil) { notification in
        if let sender {
          guard let wanted = sender.object, let actual = notification.object as AnyObject?, actual === wanted else {
            return
          }
        }
        do { producer.send(try value(notification)) } catch { producer.fail(error) }
      }
      let registration = Registration(observer: observer)
      producer.onDisposal { center.removeObserver(registration.observer) }
    }
  }

  /// Delivers `()` for each notification.
  ///
  /// ```swift
  /// import Foundation
  /// import SignalFoundation
  /// import Signals
  ///
  /// let bag = DisposeBag()
  /// let saved = Notification.Name("saved")
  /// NotificationCenter.default.events.notifications(named: saved)
  ///   .subscribe { print("saved") }
  ///   .store(in: bag)
  /// NotificationCenter.default.post(name: saved, object: nil)
  /// ```
  ///
  /// For the rest, see the overload with a closure.
  ///
  /// - Parameters:
  ///   - name: The name of the notifications; `nil` matches any.
  ///   - object: Only notifications of this object are delivered; `nil` matches any. It is referenced weakly.
  public func notifications(
    named name: Notification.Name?, from object: AnyObject? = nil,
    fileID: StaticString = #fileID, line: UInt = #line, function: StaticString = #function
  ) -> Signal<Void> {
    notifications(named: name, from: object, fileID: fileID, line: line, function: function) { _ in () }
  }
}

/// The object whose notifications are delivered.
// Safe: written only by the initialiser; weak references are read atomically, and the object is only compared by
// identity.
private final class Sender: @unchecked Sendable {
  private(set) weak var object: AnyObject?

  init(object: AnyObject) { self.object = object }
}

// Safe: it is only passed to `removeObserver`, which any thread may call.
private struct Registration: @unchecked Sendable {
  let observer: any NSObjectProtocol
}
