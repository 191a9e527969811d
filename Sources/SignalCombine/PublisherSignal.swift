#if OpenCombine
  public import OpenCombine
  typealias CombineSubscription = OpenCombine.Subscription
#elseif canImport(Combine)
  public import Combine
  typealias CombineSubscription = Combine.Subscription
#endif

#if OpenCombine || canImport(Combine)
  public import Signals
  import Synchronization

  extension Publisher where Output: Sendable {
    /// Returns this publisher as a signal.
    ///
    /// Each subscription subscribes to this publisher again, with unlimited demand. The publisher must allow
    /// subscription on any thread, as those of Combine do.
    ///
    /// In the live graph a publisher with `traced()` is connected to this, even with other publishers in between.
    ///
    /// - **Errors:** those of this publisher.
    /// - **Ends:** with this publisher. It is cancelled when the subscription is disposed, even during subscribe.
    /// - **Order and threads:** in order, on the thread on which the publisher sends.
    /// - **Allocations:** none for a value.
    public func signal(
      fileID: StaticString = #fileID, line: UInt = #line, function: StaticString = #function
    ) -> Signal<Output> {
      let publisher = PublisherBox<Output, Failure>(self)
      return Signal(fileID: fileID, line: line, function: function) { producer in
        producer.ask { publisher.subscribe(ProducerSubscriber(producer)) }
      }
    }
  }

  // Safe: constant, and only subscribes to a publisher. The documentation of `signal()` requires one that any thread
  // may subscribe to.
  private struct PublisherBox<Output: Sendable, Failure: Error>: @unchecked Sendable {
    let subscribe: (ProducerSubscriber<Output, Failure>) -> Void

    init<Source: Publisher>(_ publisher: Source) where Source.Output == Output, Source.Failure == Failure {
      subscribe = { publisher.subscribe($0) }
    }
  }

  /// Forwards a publisher's events to a producer.
  private final class ProducerSubscriber<Input: Sendable, Failure: Error>: Subscriber, Sendable {
    private let producer: Producer<Input>

    init(_ producer: Producer<Input>) { self.producer = producer }

    func receive(subscription: any CombineSubscription) {
      let box = SubscriptionBox(subscription)
      producer.onDisposal { box.subscription.cancel() }
      if producer.isActive { subscription.request(.unlimited) }
    }

    func receive(_ input: Input) -> Subscribers.Demand {
      producer.send(input)
      return .none
    }

    func receive(completion: Subscribers.Completion<Failure>) {
      switch completion {
      case .finished: producer.finish()
      case .failure(let error): producer.fail(error)
      }
    }
  }

  // Safe: constant, and Combine lets any thread cancel a subscription.
  private struct SubscriptionBox: @unchecked Sendable {
    let subscription: any CombineSubscription

    init(_ subscription: any CombineSubscription) { self.subscription = subscription }
  }
#endif
