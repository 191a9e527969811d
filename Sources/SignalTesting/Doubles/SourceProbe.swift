public import Signals
import Synchronization

/// Replaces a source, and records its subscriptions and how they ended.
///
/// Use it to check which of several paths a chain took.
///
/// ```swift
/// func load(_ cached: Signal<Int>, orElse fetched: Signal<Int>) -> Signal<Int> { cached.ifEmpty(switchTo: fetched) }
///
/// @Test func doesNotFetchWhatIsCached() {
///   let fetched = SourceProbe<Int>()
///   let recorder = load(.just(1), orElse: fetched.signal).record()
///   #expect(recorder.values == [1])
///   fetched.expectNotSubscribed()
/// }
/// ```
///
/// Within ``MarbleTest``, `m.hot` and `m.cold` do this and record the times: `m.expectSubscriptions(of:)`.
public final class SourceProbe<Value: Sendable>: Sendable {
  /// The source, to build a chain on.
  public let signal: Signal<Value>
  private let log: Log

  /// The numbers of a source's subscriptions.
  private struct Counts {
    var begun = 0
    var ended = 0
    var disposed = 0
  }

  private final class Log: Sendable {
    let counts = Mutex(Counts())
  }

  /// Creates a probe.
  ///
  /// - Parameter source: The signal that is subscribed to; by default one that never delivers.
  public init(_ source: Signal<Value> = .never()) {
    let log = Log()
    self.log = log
    signal = source.counted(
      begin: { log.counts.withLock { $0.begun += 1 } }, end: { log.counts.withLock { $0.ended += 1 } },
      disposal: { log.counts.withLock { $0.disposed += 1 } })
  }

  /// The number of subscriptions to the source.
  public var subscriptionCount: Int { log.counts.withLock { $0.begun } }

  /// The number of active subscriptions.
  public var activeCount: Int { log.counts.withLock { $0.begun - $0.ended - $0.disposed } }

  /// The number of subscriptions that were disposed before the source ended.
  public var disposalCount: Int { log.counts.withLock { $0.disposed } }

  /// The number of subscriptions that lasted until the source ended.
  public var endCount: Int { log.counts.withLock { $0.ended } }

  // MARK: Expectations

  /// Expects that the source was subscribed to.
  ///
  /// - Parameter count: The expected number; at least one by default.
  public func expectSubscribed(
    times count: Int? = nil,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
  ) {
    let actual = subscriptionCount
    if let count, actual == count { return }
    if count == nil, actual > 0 { return }
    let wanted = count.map { Self.times($0) } ?? "at least once"
    report(
      "The source was subscribed to \(Self.times(actual)), expected \(wanted).",
      at: MarbleSource(fileID: fileID, filePath: filePath, line: line, column: column))
  }

  /// Expects that the source was never subscribed to.
  public func expectNotSubscribed(
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
  ) {
    expectSubscribed(times: 0, fileID: fileID, filePath: filePath, line: line, column: column)
  }

  /// Expects that the source was subscribed to, and that every subscription was disposed before its end.
  public func expectDisposed(
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
  ) {
    let counts = log.counts.withLock { $0 }
    guard counts.begun == 0 || counts.disposed != counts.begun else { return }
    report(
      "Expected every subscription of the source to be disposed: \(state(counts)).",
      at: MarbleSource(fileID: fileID, filePath: filePath, line: line, column: column))
  }

  /// Expects that the source was subscribed to, and that no subscription was disposed before its end.
  public func expectNotDisposed(
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
  ) {
    let counts = log.counts.withLock { $0 }
    guard counts.begun == 0 || counts.disposed > 0 else { return }
    report(
      "Expected no subscription of the source to be disposed: \(state(counts)).",
      at: MarbleSource(fileID: fileID, filePath: filePath, line: line, column: column))
  }

  private func state(_ counts: Counts) -> String {
    "\(counts.begun) started, \(counts.ended) terminated by the source, \(counts.disposed) disposed, "
      + "\(counts.begun - counts.ended - counts.disposed) active"
  }

  private static func times(_ count: Int) -> String {
    switch count {
    case 0: "never"
    case 1: "once"
    default: "\(count) times"
    }
  }
}

extension Signal {
  /// This signal, with closures for the end of each subscription.
  fileprivate func counted(
    begin: @escaping @Sendable () -> Void, end: @escaping @Sendable () -> Void,
    disposal: @escaping @Sendable () -> Void
  ) -> Signal<Value> {
    let upstream = self
    return Signal { producer in
      begin()
      let ending = Ending()
      producer.onDisposal { if !ending.isReached { disposal() } }
      producer.own(
        upstream.subscribeToEvents { event in
          if event.isEnd, producer.isActive {
            ending.reach()
            end()
          }
          producer.send(event: event)
        })
    }
  }
}

/// Whether a subscription has lasted until the end of its source.
private final class Ending: Sendable {
  private let flag = Atomic(false)

  var isReached: Bool { flag.load(ordering: .acquiring) }

  func reach() { flag.store(true, ordering: .releasing) }
}

extension Event {
  fileprivate var isEnd: Bool { if case .value = self { false } else { true } }
}
