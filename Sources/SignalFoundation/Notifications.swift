public import Foundation
public import Signals

extension NotificationCenter: EventSource {}

extension Events where Base: NotificationCenter {
  /// Delivers what a closure takes from the notifications of a name.
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
  /// A `Notification` is not `Sendable`: it may carry anything. So the closure runs where it is posted, and the signal carries what it returns. Each
  /// subscription registers an observer, which is removed when the subscription ends.
  ///
  /// - **Errors:** an error that the closure throws fails the result.
  /// - **Ends:** never.
  /// - **Order and threads:** inside the `post`, on its thread. Put `receive(on: .mainImmediate)` below for notifications that come from other threads.
  /// - **Allocations:** none for a notification, beside those of the center and the closure.
  /// - Parameters:
  ///   - name: The name of the notifications; `nil` stands for any.
  ///   - object: Only notifications of this object are delivered; `nil` stands for any. It is held weakly, and another object that gets its
  ///     address later is not taken for it.
  ///   - value: Takes what is wanted from a notification.
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

  /// Says that a notification was posted.
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
  /// It is as with the form that has a closure, see there.
  ///
  /// - Parameters:
  ///   - name: The name of the notifications; `nil` stands for any.
  ///   - object: Only notifications of this object are delivered; `nil` stands for any. It is held weakly.
  public func notifications(
    named name: Notification.Name?, from object: AnyObject? = nil,
    fileID: StaticString = #fileID, line: UInt = #line, function: StaticString = #function
  ) -> Signal<Void> {
    notifications(named: name, from: object, fileID: fileID, line: line, function: function) { _ in () }
  }
}

/// The object whose notifications are wanted.
// Safe: written only by the initialiser; weak references are read atomically, and nothing is asked of the object but whether it is the same.
private final class Sender: @unchecked Sendable {
  private(set) weak var object: AnyObject?

  init(object: AnyObject) { self.object = object }
}

// Safe: it is only handed to `removeObserver`, which any thread may call.
private struct Registration: @unchecked Sendable {
  let observer: any NSObjectProtocol
}
