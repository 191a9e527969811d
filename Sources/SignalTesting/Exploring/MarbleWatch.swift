import Signals

/// Looks on while a marble test runs, and may change what its sources send.
protocol MarbleWatch: AnyObject, Sendable {
  /// A subscriber of the test is made.
  func made(_ recorder: any WatchedRecorder)
  /// A subscriber of the test has received an event.
  func received(by recorder: any WatchedRecorder)
  /// A source is made.
  func made(_ log: SubscriptionLog)
  /// The number of a source that is made, which its node in the graph has as its line; nil for the ordinary line.
  func number() -> Int?
  /// A source sends an event next.
  func willSend(_ number: Int?)
  /// A subscriber of the test is subscribed next.
  func willSubscribe(_ recorder: any WatchedRecorder)
  /// A task is declared, whose subscriptions are not the test's.
  func madeTask()
  /// What a source sends in the place of its diagram.
  func schedule<Value>(_ events: [TimedEvent<Value>]) -> [TimedEvent<Value>]
}

extension MarbleWatch {
  func made(_ recorder: any WatchedRecorder) {}
  func received(by recorder: any WatchedRecorder) {}
  func made(_ log: SubscriptionLog) {}
  func number() -> Int? { nil }
  func willSend(_ number: Int?) {}
  func willSubscribe(_ recorder: any WatchedRecorder) {}
  func madeTask() {}
  func schedule<Value>(_ events: [TimedEvent<Value>]) -> [TimedEvent<Value>] { events }
}

enum MarbleWatching {
  /// Where the nodes of numbered sources are said to be made.
  static let inputFile: StaticString = "SignalTesting/source"

  static func fileID(of number: Int?, _ other: StaticString = #fileID) -> StaticString {
    number == nil ? other : inputFile
  }

  /// Who looks on at the test that is made here and now.
  @TaskLocal static var current: (any MarbleWatch)?
}

/// A subscriber of a test, whatever it receives.
protocol WatchedRecorder: AnyObject, Sendable {
  /// What it has received, for pictures.
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
  /// The event in a picture.
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

/// How a marble test is made that runs several times.
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

  /// Makes the test, declares it and runs it, with all work in the order that `director` decides.
  ///
  /// - Throws: What `declare` throws.
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
