import Dispatch

/// A scheduler of this library: it says what the graph shows of it.
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

  /// A scheduler that the program has made. Two of one type that hold the same are the same.
  private init<Another: Scheduler>(ofAnother scheduler: Another) {
    var hasher = Hasher()
    hasher.combine(ObjectIdentifier(Another.self))
    withUnsafeBytes(of: scheduler) { hasher.combine(bytes: $0) }
    self.init(.type(Another.self), identity: hasher.finalize())
  }

  /// A scheduler that is an object, or stands for one.
  init(_ name: Name, of object: ObjectIdentifier) {
    self.init(name, identity: object.hashValue)
  }
}

extension OperatorNode {
  /// Notes on what the operator's work runs, and how long it waits: nothing, while the graph is off. Once, where the operator is connected, and it keeps
  /// no values for its scheduler.
  ///
  /// - Parameters:
  ///   - scheduler: What runs the work.
  ///   - interval: How long it waits each time.
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
  /// What is done at once where one is on the main queue already is done there too.
  var recorded: RecordedScheduler { RecordedScheduler(.text("main"), identity: 1) }
}

extension ImmediateScheduler: RecordableScheduler {
  var recorded: RecordedScheduler { RecordedScheduler(.text("immediate"), identity: 2) }
}

extension VirtualTimeScheduler: RecordableScheduler {
  /// The scheduler keeps who records, so it is not kept.
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
