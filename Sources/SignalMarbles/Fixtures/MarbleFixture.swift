/// A test case written as diagrams: an operator, its sources, and what its subscribers receive.
public struct MarbleFixture: Hashable, Sendable {
  /// A source. Sources are in order of creation: at one instant, hot sources created earlier emit first.
  public struct Source: Hashable, Sendable {
    /// Whether a source runs independently or starts again for each subscriber.
    public enum Kind: String, Hashable, Sendable {
      /// Runs independently of subscribers.
      case hot
      /// Starts again for each subscriber.
      case cold
    }

    /// The name by which arguments and subscriptions refer to it.
    public var name: String
    /// Hot or cold.
    public var kind: Kind
    /// Its diagram.
    public var diagram: MarbleText

    /// Creates a source.
    ///
    /// - Parameters:
    ///   - name: The name by which arguments and subscriptions refer to it.
    ///   - kind: Hot or cold.
    ///   - diagram: The events that it sends, with their times.
    public init(name: String, kind: Kind, diagram: MarbleText) {
      self.name = name
      self.kind = kind
      self.diagram = diagram
    }
  }

  /// A subscriber and the events that it receives.
  public struct Observer: Hashable, Sendable {
    /// The time of its subscription; nil for one from the start of the test that remains.
    public var subscription: MarbleText?
    /// The events that it receives.
    public var expected: MarbleText

    /// Creates an observer.
    ///
    /// - Parameters:
    ///   - subscription: The time of its subscription; nil for one from the start of the test that remains.
    ///   - expected: The events that it receives.
    public init(subscription: MarbleText? = nil, expected: MarbleText) {
      self.subscription = subscription
      self.expected = expected
    }
  }

  /// An event in a test case of the parser itself: a time in frames, and a value's key, `|` or `#`.
  public struct Frame: Hashable, Sendable {
    /// The time in frames.
    public var time: Int
    /// The event.
    public var event: String

    /// Creates an event.
    ///
    /// - Parameters:
    ///   - time: The time in frames.
    ///   - event: A value's key, `|` or `#`.
    public init(time: Int, event: String) {
      self.time = time
      self.event = event
    }
  }

  /// A law of the design that differs from the reference of the case.
  public struct Law: Hashable, Sendable {
    /// The law's number.
    public var number: Int
    /// The reason.
    public var reason: String
    /// The events that each observer receives from this library instead; empty if they are the same.
    public var expected: [MarbleText] = []
    /// The subscriptions that differ in this library, by source.
    public var subscriptions: [String: [MarbleText]] = [:]

    /// Creates a law that changes nothing yet.
    ///
    /// - Parameters:
    ///   - number: The law's number.
    ///   - reason: The reason why the law differs from the reference.
    public init(number: Int, reason: String) {
      self.number = number
      self.reason = reason
    }

    /// The events that an observer receives from this library; nil if they are those of the reference.
    package func expected(at index: Int) -> MarbleText? { expected.indices.contains(index) ? expected[index] : nil }
  }

  /// The name of the case.
  public var name: String
  /// This library's operator; nil if it has no counterpart yet.
  public var operatorName: String?
  /// The operator's name in RxJS; nil if the case does not come from there.
  public var rxjsName: String?
  /// The operator's arguments.
  public var arguments: [String: FixtureValue] = [:]
  /// The sources in order of creation.
  public var sources: [Source] = []
  /// The meanings of keys; an unlisted key stands for itself as a string.
  public var values: [String: FixtureValue] = [:]
  /// The meanings of errors in the sources and the expectation; the empty name stands for `#`.
  public var errors: [String: FixtureValue] = [:]
  /// The meanings of errors in the expectation if they differ from those in the sources.
  public var expectedErrors: [String: FixtureValue] = [:]
  /// The subscribers and the events that they receive; empty in a test case of the parser.
  public var observers: [Observer] = []
  /// The expected result of parsing a diagram, in a test case of the parser.
  public var frames: [Frame] = []
  /// Nested signals: for a key of the expectation, the diagram that begins when its value is sent.
  public var windows: [String: MarbleText] = [:]
  /// The expected subscriptions to each source; an empty array if it is never subscribed, absent if unspecified.
  public var subscriptions: [String: [MarbleText]] = [:]
  /// The law that differs from the reference.
  public var law: Law?
  /// Tags to select cases by.
  public var tags: [String] = []
  /// The origin of the case.
  public var origin: String?
  /// A note for readers.
  public var note: String?
  /// The notation of all diagrams.
  public var dialect: MarbleDialect = .signals
  /// The location of the case.
  public var source: MarbleSource?

  /// Creates an empty case.
  ///
  /// - Parameter name: The name of the case.
  public init(name: String) { self.name = name }

  /// Whether the library has the operator, so that the case can run.
  public var isSupported: Bool { operatorName != nil }
}
