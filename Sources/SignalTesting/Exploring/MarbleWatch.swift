import Signals

/// Observes a running marble test, and may change the events of its sources.
protocol MarbleWatch: AnyObject, Sendable {
  /// Whether the run differs from the test as it is written.
  var isVariant: Bool { get }
  /// A subscriber of the test has been created.
  func made(_ recorder: any WatchedRecorder)
  /// A subscriber of the test has received an event.
  func received(by recorder: any WatchedRecorder)
  /// A source has been created.
  func made(_ log: SubscriptionLog)
  /// The number of a new source, which is the line of its node in the graph; nil for the actual line.
  func number(isHot: Bool) -> Int?
  /// A source is about to send an event.
  func willSend(_ number: Int?)
  /// A subscriber of the test is about to be subscribed.
  func willSubscribe(_ recorder: any WatchedRecorder)
  /// A task is about to read an asynchronous sequence for a subscriber.
  func started(_ reading: SequenceReading)
  /// The virtual time of the test has ended, with these escapes from it.
  func ended(_ departures: [Departure], at test: MarbleSource)
  /// The events that a source sends instead of its diagram.
  func schedule<Value>(_ events: [TimedEvent<Value>]) -> [TimedEvent<Value>]
}

extension MarbleWatch {
  var isVariant: Bool { false }
  func made(_ recorder: any WatchedRecorder) {}
  func received(by recorder: any WatchedRecorder) {}
  func made(_ log: SubscriptionLog) {}
  func number(isHot: Bool) -> Int? { nil }
  func willSend(_ number: Int?) {}
  func willSubscribe(_ recorder: any WatchedRecorder) {}
  func started(_ reading: SequenceReading) {}
  func ended(_ departures: [Departure], at test: MarbleSource) {}
  func schedule<Value>(_ events: [TimedEvent<Value>]) -> [TimedEvent<Value>] { events }
}

enum MarbleWatching {
  /// The file of the nodes of numbered sources.
  static let inputFile: StaticString = "SignalTesting/source"

  static func fileID(of number: Int?, _ other: StaticString = #fileID) -> StaticString {
    number == nil ? other : inputFile
  }

  /// The watch of the test that is created here and now.
  @TaskLocal static var current: (any MarbleWatch)?
}

/// A subscriber of a test, type-erased.
protocol WatchedRecorder: AnyObject, Sendable {
  /// Its events, for drawings.
  var notations: [(nanoseconds: Int64, isInsideSubscribe: Bool, event: MarbleEvent)] { get }
  var eventCount: Int { get }
  /// Whether it was subscribed.
  var hasSubscribed: Bool { get }
  func dispose()
}

extension EventRecorder: WatchedRecorder {
  var eventCount: Int { events.count }

  var notations: [(nanoseconds: Int64, isInsideSubscribe: Bool, event: MarbleEvent)] {
    events.map { ($0.nanoseconds, $0.isInsideSubscribe, $0.event.watchedNotation) }
  }
}

extension ReceivedEvent {
  /// The event in a drawing.
  var watchedNotation: MarbleEvent {
    switch self {
    case .value(let value):
      if let text = value as? String {
        text.count == 1 ? .value(.key(text)) : .value(.text(text))
      } else {
        .value(.key("\(value)"))
      }
    case .failed: .failed(nil)
    case .finished: .finished
    }
  }
}

/// The settings of a marble test that runs several times.
struct MarbleSettings {
  var dialect: MarbleDialect
  var frame: Duration
  var timeLimit: Duration
  var workLimit: Int
  var fileID: StaticString
  var filePath: StaticString
  var line: UInt
  var column: UInt

  var place: MarbleSource { MarbleSource(fileID: fileID, filePath: filePath, line: line, column: column) }

  /// Creates the test, declares it and runs it, in the order that `director` decides.
  ///
  /// - Throws: Rethrows the errors of `declare`.
  func run(
    watch: (any MarbleWatch)?, director: ((VirtualTimeScheduler) -> VirtualTimeScheduler.Director)? = nil,
    _ declare: (MarbleTest) throws -> Void
  ) throws {
    try MarbleWatching.$current.withValue(watch) {
      let test = MarbleTest(
        dialect: dialect, frame: frame, timeLimit: timeLimit, workLimit: workLimit, fileID: fileID, filePath: filePath,
        line: line, column: column)
      if let director { test.scheduler.setDirector(director(test.scheduler)) }
      try test.perform(declare)
    }
  }
}

extension MarbleTable {
  /// The cells of a row of events.
  static func cells(
    _ events: [(nanoseconds: Int64, isInsideSubscribe: Bool, event: MarbleEvent)]
  ) -> [Slot: String] {
    var moments: [Slot: MarbleMoment] = [:]
    for (nanoseconds, isInsideSubscribe, event) in events {
      let slot = Slot(nanoseconds: nanoseconds, isInsideSubscribe: isInsideSubscribe)
      moments[
        slot, default: MarbleMoment(nanoseconds: nanoseconds, isInsideSubscribe: isInsideSubscribe, events: [])
      ].events.append(event)
    }
    return moments.mapValues { MarblePrinter().token(for: $0) }
  }
}
