package import Signals

/// What a sample of the page of costs is made of.
package struct CostRig: Sendable {
  package let first = Emitter<Int>()
  package let second = Emitter<Int>()
  package let scheduler = VirtualTimeScheduler()

  package init() {}
}

/// One operator or source as a user writes it, and how a value is sent through it.
package struct CostSample: Sendable {
  /// How a value is sent.
  package enum Pace: Sendable {
    /// The first source sends.
    case single
    /// The second source sends, then the first.
    case pairs
    /// The first source sends, then a millisecond passes.
    case timed
    /// A millisecond passes.
    case timeAlone
    /// The source sends by itself.
    case none
  }

  private let label: String?
  package private(set) var name: String
  package let pace: Pace
  /// Makes the chain and subscribes to it, as a user writes it.
  package let subscribe: @Sendable (CostRig) -> Subscription

  package init(
    _ label: String? = nil, _ pace: Pace = .single, _ subscribe: @escaping @Sendable (CostRig) -> Subscription
  ) {
    self.label = label
    self.pace = pace
    self.subscribe = subscribe
    name = ""
  }

  func named(_ name: String) -> CostSample {
    var sample = self
    sample.name = label.map { "\(name), \($0)" } ?? name
    return sample
  }

  /// Sends one value.
  package func send(_ value: Int, _ rig: CostRig) {
    switch pace {
    case .single: rig.first.send(value)
    case .pairs:
      rig.second.send(value)
      rig.first.send(value)
    case .timed:
      rig.first.send(value)
      try? rig.scheduler.advance(by: .milliseconds(1))
    case .timeAlone: try? rig.scheduler.advance(by: .milliseconds(1))
    case .none: break
    }
  }
}
