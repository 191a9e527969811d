import Signals
import Synchronization

/// A source that sends whether or not somebody listens, and all who send through it.
final class Hot: Sendable {
  private enum Source: Sendable {
    case emitter(Emitter<Int>)
    case property(Guarded<Property<Int>?>)
    case objects(Emitter<Carrier>)
  }

  /// A value that does something when it is released.
  private final class Carrier: Sendable {
    let value: Int
    private let atRelease: AtRelease?

    init(_ value: Int, _ atRelease: AtRelease?) {
      self.value = value
      self.atRelease = atRelease
    }
  }

  private let source: Source
  private let atRelease: @Sendable () -> Void
  /// How many objects still do something when they are released.
  private let budget = Atomic<Int>(8)
  private let lanes = Guarded<[Lane]>([])
  private let ending = Atomic<Bool>(false)
  private let early = Atomic<Bool>(false)
  private let silenced = Atomic<Bool>(false)
  let signal: Signal<Int>

  init(_ plan: HotPlan, atRelease: @escaping @Sendable () -> Void) {
    self.atRelease = atRelease
    switch plan {
    case .emitter(let replay):
      let emitter = Emitter<Int>(replay: replay)
      source = .emitter(emitter)
      signal = emitter.signal
    case .property:
      let property = Property(Stamp.unmarked)
      source = .property(Guarded(property))
      signal = property.signal
    case .objects(let replay, _):
      let emitter = Emitter<Carrier>(replay: replay)
      source = .objects(emitter)
      signal = emitter.signal.map { $0.value }
    }
  }

  /// Whether it has ended, or is going to.
  var isEnding: Bool { ending.load(ordering: .acquiring) }
  /// Whether it was ended while others may have been sending.
  var endedEarly: Bool { early.load(ordering: .acquiring) }
  var allLanes: [Lane] { lanes.elements() }
  func add(_ lane: Lane) { lanes.withLock { $0.append(lane) } }

  /// How many subscriptions there are; nil when the property has been released.
  var subscriberCount: Int? {
    switch source {
    case .emitter(let emitter): emitter.subscriberCount
    case .property(let property): property.value?.subscriberCount
    case .objects(let emitter): emitter.subscriberCount
    }
  }

  /// The value of a property that has not been released.
  var propertyValue: Int? {
    if case .property(let property) = source { property.value?.value } else { nil }
  }

  func send(_ lane: Lane) {
    let value = lane.next()
    if isEnding { lane.noteRefusal() }
    switch source {
    case .emitter(let emitter): emitter.send(value)
    case .property(let property): property.value?.value = value
    case .objects(let emitter):
      let acts = Stamp.read(value).number.isMultiple(of: 16) && budget.subtract(1, ordering: .relaxed).newValue >= 0
      emitter.send(Carrier(value, acts ? AtRelease(atRelease) : nil))
    }
  }

  /// Whether its subscriptions were ended without an event, or are about to be: the auditor's too.
  var isSilenced: Bool { silenced.load(ordering: .acquiring) }

  func disposeAllSubscriptions() {
    silenced.store(true, ordering: .releasing)
    switch source {
    case .emitter(let emitter): emitter.disposeAllSubscriptions()
    case .property(let property): property.value?.disposeAllSubscriptions()
    case .objects(let emitter): emitter.disposeAllSubscriptions()
    }
  }

  /// - Parameter isEarly: Whether others may be sending.
  func finish(failing fails: Bool = false, early isEarly: Bool = false) {
    if isEarly { early.store(true, ordering: .releasing) }
    ending.store(true, ordering: .releasing)
    switch source {
    case .emitter(let emitter): fails ? emitter.fail(PlannedFailure()) : emitter.finish()
    // A property ends with its last user.
    case .property(let property): property.value = nil
    case .objects(let emitter): fails ? emitter.fail(PlannedFailure()) : emitter.finish()
    }
  }
}
