import Dispatch

/// A scheduler of this library, with its description for the graph.
protocol RecordableScheduler: Scheduler {
  var recorded: RecordedScheduler { get }
}

extension RecordedScheduler {
  init(_ scheduler: any Scheduler) {
    if let known = scheduler as? any RecordableScheduler {
      self = known.recorded
    } else {
      self.init(ofAnother: scheduler)
    }
  }

  /// A custom scheduler. Two of one type with the same content are the same.
  private init<Another: Scheduler>(ofAnother scheduler: Another) {
    var hasher = Hasher()
    hasher.combine(ObjectIdentifier(Another.self))
    withUnsafeBytes(of: scheduler) { hasher.combine(bytes: $0) }
    self.init(.type(Another.self), identity: hasher.finalize())
  }

  /// A scheduler that is an object, or represents one.
  init(_ name: Name, of object: ObjectIdentifier) {
    self.init(name, identity: object.hashValue)
  }
}

extension OperatorNode {
  /// Notes the scheduler of the operator's work, and its repeated delay; does nothing while the graph is off. Once,
  /// when an operator without a queue for its scheduler is connected.
  ///
  /// - Parameters:
  ///   - scheduler: The scheduler that runs the work.
  ///   - interval: The repeated delay.
  @inlinable
  func note(_ scheduler: any Scheduler, interval: Duration?) {
    if isRecorded { record(scheduler, interval: interval) }
  }

  @usableFromInline
  func record(_ scheduler: any Scheduler, interval: Duration?) {
    reference?.note(NodeSchedule(on: RecordedScheduler(scheduler), interval: interval, leadTime: nil))
  }
}

extension MainScheduler: RecordableScheduler {
  /// Work that `mainImmediate` runs at once runs on the main queue, too.
  var recorded: RecordedScheduler { RecordedScheduler(.text("main"), identity: 1) }
}

extension ImmediateScheduler: RecordableScheduler {
  var recorded: RecordedScheduler { RecordedScheduler(.text("immediate"), identity: 2) }
}

extension VirtualTimeScheduler: RecordableScheduler {
  /// The scheduler retains the recorder, so the recorder does not retain it.
  var recorded: RecordedScheduler { RecordedScheduler(.text("virtual"), of: ObjectIdentifier(self)) }
}

extension DispatchQueueScheduler: RecordableScheduler {
  var recorded: RecordedScheduler {
    RecordedScheduler(
      .told(by: queue) { queue in (queue as? DispatchQueue).map(Self.name) ?? "" }, of: ObjectIdentifier(queue))
  }
}

extension ActorScheduler: RecordableScheduler {
  var recorded: RecordedScheduler {
    guard let actor else { return RecordedScheduler(.text("actor"), identity: 3) }
    return RecordedScheduler(.type(type(of: actor)), of: ObjectIdentifier(actor))
  }
}

extension ClockScheduler: RecordableScheduler {
  var recorded: RecordedScheduler { RecordedScheduler(.text("clock"), of: identity) }
}
