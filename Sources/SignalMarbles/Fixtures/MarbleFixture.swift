/// A test case written as diagrams: an operator, its sources, and what its subscribers see.
public struct MarbleFixture: Hashable, Sendable {
  /// A source, in order of creation: hot sources created earlier emit earlier inside an instant.
  public struct Source: Hashable, Sendable {
    /// Whether it starts anew for every subscriber.
    public enum Kind: String, Hashable, Sendable {
      /// Runs on its own.
      case hot
      /// Starts when subscribed.
      case cold
    }

    /// How arguments and subscriptions refer to it.
    public var name: String
    /// Hot or cold.
    public var kind: Kind
    /// Its diagram.
    public var diagram: MarbleText

    /// Makes a source.
    ///
    /// - Parameters:
    ///   - name: How arguments and subscriptions refer to it.
    ///   - kind: Hot or cold.
    ///   - diagram: What it sends, and when.
    public init(name: String, kind: Kind, diagram: MarbleText) {
      self.name = name
      self.kind = kind
      self.diagram = diagram
    }
  }

  /// A subscriber and what it sees.
  public struct Observer: Hashable, Sendable {
    /// When it subscribes; nil for the start of the test, staying.
    public var subscription: MarbleText?
    /// What it sees.
    public var expected: MarbleText

    /// Makes an observer.
    ///
    /// - Parameters:
    ///   - subscription: When it subscribes; nil for the start of the test, staying.
    ///   - expected: What it sees.
    public init(subscription: MarbleText? = nil, expected: MarbleText) {
      self.subscription = subscription
      self.expected = expected
    }
  }

  /// An event of a case of the parser itself: a time in frames, and a value's key, `|` or `#`.
  public struct Frame: Hashable, Sendable {
    /// The time in frames.
    public var time: Int
    /// The event.
    public var event: String

    /// Makes an event.
    ///
    /// - Parameters:
    ///   - time: The time in frames.
    ///   - event: A value's key, `|` or `#`.
    public init(time: Int, event: String) {
      self.time = time
      self.event = event
    }
  }

  /// A law of the design that decides otherwise than the reference the case comes from.
  public struct Law: Hashable, Sendable {
    /// The law's number.
    public var number: Int
    /// Why.
    public var reason: String
    /// What each observer of this library sees instead; empty where that stays the same.
    public var expected: [MarbleText] = []
    /// The subscriptions of this library that differ, by source.
    public var subscriptions: [String: [MarbleText]] = [:]

    /// Makes a decision that changes nothing yet.
    ///
    /// - Parameters:
    ///   - number: The law's number.
    ///   - reason: Why the law decides otherwise than the reference.
    public init(number: Int, reason: String) {
      self.number = number
      self.reason = reason
    }
  }

  /// The name of the case.
  public var name: String
  /// This library's operator; nil where it has no counterpart yet.
  public var operatorName: String?
  /// The operator's name in RxJS; nil where the case does not come from there.
  public var rxjsName: String?
  /// The operator's arguments.
  public var arguments: [String: FixtureValue] = [:]
  /// The sources in order of creation.
  public var sources: [Source] = []
  /// What keys stand for; a key that is not listed is its own string.
  public var values: [String: FixtureValue] = [:]
  /// What errors of the sources and the expectation stand for; the empty name stands for `#`.
  public var errors: [String: FixtureValue] = [:]
  /// What errors of the expectation stand for where that differs from the sources.
  public var expectedErrors: [String: FixtureValue] = [:]
  /// Who subscribes and what they see; empty in a case of the parser.
  public var observers: [Observer] = []
  /// What a diagram is read as, in a case of the parser.
  public var frames: [Frame] = []
  /// Nested signals: for a key of the expectation, the diagram from the instant at which it is sent.
  public var windows: [String: MarbleText] = [:]
  /// For each source the subscriptions it has; an empty list where it is never subscribed, absent where nothing is said.
  public var subscriptions: [String: [MarbleText]] = [:]
  /// A law that decides otherwise.
  public var law: Law?
  /// Words to choose cases by.
  public var tags: [String] = []
  /// Where the case comes from.
  public var origin: String?
  /// What a reader should know.
  public var note: String?
  /// The notation of all diagrams.
  public var dialect: MarbleDialect = .signals
  /// Where the case is written.
  public var source: MarbleSource?

  /// Makes an empty case.
  ///
  /// - Parameter name: The name of the case.
  public init(name: String) { self.name = name }

  /// Whether the library has the operator, so that the case can run.
  public var isSupported: Bool { operatorName != nil }
}
