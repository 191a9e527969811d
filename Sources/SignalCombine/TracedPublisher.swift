#if OpenCombine
  public import OpenCombine
#elseif canImport(Combine)
  public import Combine
#endif

#if OpenCombine || canImport(Combine)
  import SignalRecording

  extension Publisher {
    /// Shows the subscriptions to this publisher in the live graph: values, rates and ends. Passes everything on unchanged.
    ///
    /// Each subscription is a node, from its beginning until it finishes, fails or is cancelled. The node's kind is
    /// that of the publisher, such as `map`, and its location the call site of `traced`. Traced publishers of one chain
    /// are connected, even with others in between: a publisher that is subscribed to while a traced publisher
    /// subscribes is its input. Later subscriptions of an operator, such as `flatMap`, are not connected.
    ///
    /// While the graph is off, a new subscription is the same as without this.
    ///
    /// - **Errors:** those of this publisher.
    /// - **Ends:** with this publisher.
    /// - **Order and threads:** as without it, including demand.
    /// - **Allocations:** none for a value.
    /// - Parameters:
    ///   - name: The publisher's name in the graph.
    ///   - fileID: The file of the call.
    ///   - line: The line of the call.
    ///   - function: The function of the call.
    /// - Returns: A publisher of the same values and failures.
    public func traced(
      _ name: String? = nil, fileID: StaticString = #fileID, line: UInt = #line, function: StaticString = #function
    ) -> TracedPublisher<Self> {
      TracedPublisher(upstream: self, name: name, fileID: fileID, line: line, function: function)
    }
  }

  /// A publisher whose subscriptions are shown in the live graph; see `Publisher.traced(_:)`.
  public struct TracedPublisher<Upstream: Publisher>: Publisher {
    /// The publisher's output.
    public typealias Output = Upstream.Output
    /// The publisher's failure.
    public typealias Failure = Upstream.Failure

    let upstream: Upstream
    let name: String?
    let fileID: StaticString
    let line: UInt
    let function: StaticString

    /// Subscribes to the publisher.
    public func receive<Target: Subscriber>(subscriber: Target)
    where Target.Input == Output, Target.Failure == Failure {
      let reporter = GraphReporter(
        kindOf: Upstream.self, removing: ["Publisher"], named: name, fileID: fileID, line: line, function: function)
      guard let step = AskingStep(reporter) else { return upstream.subscribe(subscriber) }
      AskingStep.innermost?.take(from: reporter)
      step.ask { upstream.subscribe(TracedSubscriber(subscriber, reporter)) }
    }
  }

  extension TracedPublisher: Sendable where Upstream: Sendable {}

  /// Forwards everything, and counts it.
  private final class TracedSubscriber<Target: Subscriber>: Subscriber {
    private let target: Target
    private let reporter: GraphReporter

    init(_ target: Target, _ reporter: GraphReporter) {
      self.target = target
      self.reporter = reporter
    }

    func receive(subscription: any CombineSubscription) {
      target.receive(subscription: TracedSubscription(subscription, reporter))
    }

    func receive(_ input: Target.Input) -> Subscribers.Demand {
      reporter.passing { target.receive(input) }
    }

    func receive(completion: Subscribers.Completion<Target.Failure>) {
      switch completion {
      case .finished: reporter.finish()
      case .failure(let error): reporter.fail(error)
      }
      target.receive(completion: completion)
    }
  }

  /// Notes that it is cancelled.
  private final class TracedSubscription: CombineSubscription {
    private let upstream: any CombineSubscription
    private let reporter: GraphReporter

    init(_ upstream: any CombineSubscription, _ reporter: GraphReporter) {
      self.upstream = upstream
      self.reporter = reporter
    }

    func request(_ demand: Subscribers.Demand) { upstream.request(demand) }

    func cancel() {
      upstream.cancel()
      reporter.cancel()
    }
  }
#endif
