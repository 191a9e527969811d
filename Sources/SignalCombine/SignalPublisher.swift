#if OpenCombine
  public import OpenCombine
#elseif canImport(Combine)
  public import Combine
#endif

#if OpenCombine || canImport(Combine)
  public import Signals

  extension Signal {
    /// Returns this signal as a publisher.
    ///
    /// Each subscriber subscribes to this signal again. A signal pushes, and a subscriber requests a number of values:
    /// values without demand are buffered as the policy allows. An endless source that delivers inside subscribe, such
    /// as `sequence(1...)`, needs a subscriber that cancels, `OverflowPolicy.fail` or a `prefix`: without one,
    /// subscribing never returns.
    ///
    /// - **Errors:** the failure is delivered after the buffered values. With `OverflowPolicy.fail`, `OverflowError`
    ///   is.
    /// - **Ends:** with this signal, after the buffered values. The subscription to this signal ends when the
    ///   subscriber cancels.
    /// - **Order and threads:** in order, one at a time: on the thread that sends the value, or on the one that
    ///   requests it.
    /// - **Allocations:** none for a value.
    /// - Parameter policy: What happens to a value when the buffer is full.
    public func publisher(
      buffering policy: OverflowPolicy = .keepAll,
      fileID: StaticString = #fileID, line: UInt = #line, function: StaticString = #function
    ) -> SignalPublisher<Value> {
      SignalPublisher(signal: self, policy: policy, fileID: fileID, line: line, function: function)
    }
  }

  /// A signal as a publisher; see `publisher(buffering:)`.
  public struct SignalPublisher<Output: Sendable>: Publisher, Sendable {
    /// A signal may fail with any error.
    public typealias Failure = any Error

    let signal: Signal<Output>
    let policy: OverflowPolicy
    let fileID: StaticString
    let line: UInt
    let function: StaticString

    /// Subscribes to the signal.
    public func receive<Target: Subscriber>(subscriber: Target)
    where Target.Input == Output, Target.Failure == any Error {
      let target = SubscriberBox<Output>(subscriber)
      let queue = DemandQueue<Output>(policy) { value in
        target.receive(value)
      } end: { completion in
        target.end(completion)
      }
      let subscription = SignalSubscription(queue)
      subscriber.receive(subscription: subscription)
      // It may have cancelled.
      guard queue.isOpen else { return }
      // Checked for each value, so that an endless source stops while it is being subscribed to.
      let bounded = signal.prefix(while: { _ in queue.isOpen }, fileID: fileID, line: line, function: function)
      subscription.keep(
        bounded.subscribe(fileID: fileID, line: line, function: function) { value in
          queue.send(value)
        } onFailure: { error in
          queue.send(.failed(error))
        } onFinish: {
          queue.send(.finished)
        })
    }
  }

  /// Lets a subscriber of a publisher request values of a signal, and cancel.
  private final class SignalSubscription<Value: Sendable>: CombineSubscription, Sendable {
    private let queue: DemandQueue<Value>
    private let bag = DisposeBag()

    init(_ queue: DemandQueue<Value>) { self.queue = queue }

    func keep(_ subscription: Signals.Subscription) { bag.insert(subscription) }

    func request(_ demand: Subscribers.Demand) { queue.request(demand.max ?? DemandQueue<Value>.unlimited) }

    func cancel() {
      queue.cancel()
      bag.close()
    }
  }

  /// A subscriber that only one thread at a time calls.
  // Safe: a publisher may call its subscriber on any thread, and `DemandQueue` makes one call at a time.
  private struct SubscriberBox<Value: Sendable>: @unchecked Sendable {
    let receive: (Value) -> Int
    let end: (Completion) -> Void

    init<Target: Subscriber>(_ target: Target) where Target.Input == Value, Target.Failure == any Error {
      receive = { target.receive($0).max ?? DemandQueue<Value>.unlimited }
      end = { completion in
        switch completion {
        case .finished: target.receive(completion: .finished)
        case .failed(let error): target.receive(completion: .failure(error))
        }
      }
    }
  }
#endif
