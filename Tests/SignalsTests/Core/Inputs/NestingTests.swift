import Foundation
import Probes
import Signals
import Synchronization
import Testing

/// Chains that are built one operator after the other, thousands of them.
@Suite("nesting")
struct NestingTests {
  /// Runs a closure on a thread of its own with a stack of a size.
  private func onThread(stack: Int, _ body: @escaping @Sendable () -> Void) async {
    await withCheckedContinuation { (done: CheckedContinuation<Void, Never>) in
      let thread = Thread {
        body()
        done.resume()
      }
      thread.stackSize = stack
      thread.start()
    }
  }

  /// Rows that become one operator, in the order in which they are built.
  enum Row: CaseIterable {
    case concatAfter, concatBefore, mergeAfter, mergeBefore, prepend, prependSequence

    func extended(_ signal: Signal<Int>, _ index: Int) -> Signal<Int> {
      switch self {
      case .concatAfter: signal.concat(.just(index))
      case .concatBefore: Signal.just(index).concat(signal)
      case .mergeAfter: signal.merge(with: .just(index))
      case .mergeBefore: Signal.just(index).merge(with: signal)
      case .prepend: signal.prepend(index)
      case .prependSequence: signal.prepend([index])
      }
    }

    func expected(_ count: Int) -> [Int] {
      switch self {
      case .concatAfter, .mergeAfter: [-1] + Array(0..<count)
      case .concatBefore, .mergeBefore, .prepend, .prependSequence: (0..<count).reversed() + [-1]
      }
    }
  }

  @Test("Rows of merge, concat and prepend need no stack, however long they are", arguments: Row.allCases)
  func rows(_ row: Row) async {
    let count = 20_000
    let log = EventLog<Int>()
    await onThread(stack: 512 << 10) {
      var signal = Signal.just(-1)
      for index in 0..<count { signal = row.extended(signal, index) }
      signal.log(to: log).dispose()
    }
    #expect(log.values == row.expected(count))
    #expect(log.ends.count == 1)
  }

  @Test("A row of concat that contains others several times is taken apart only as far as somebody waits for it")
  func doubledRows() {
    // More signals than memory could hold.
    let doubled = (0..<40).reduce(Signal.sequence([1, 2])) { row, _ in row.concat(row) }
    let log = EventLog<Int>()
    doubled.prefix(3).log(to: log).dispose()
    #expect(log.events == [.value(1), .value(2), .value(1), .finished])
    let fourfold = (0..<2).reduce(Signal.sequence([1, 2])) { row, _ in row.concat(row) }
    let all = EventLog<Int>()
    fourfold.log(to: all).dispose()
    #expect(all.events == [1, 2, 1, 2, 1, 2, 1, 2].map(Event.value) + [.finished])
  }

  @Test("Rows of merge, concat and prepend that are kept beside longer ones stay as they are", arguments: Row.allCases)
  func sharedRows(_ row: Row) {
    let short = (0..<3).reduce(Signal.just(-1), row.extended)
    let long = (3..<6).reduce(short, row.extended)
    for (signal, count) in [(long, 6), (short, 3), (long, 6)] {
      let log = EventLog<Int>()
      signal.log(to: log).dispose()
      #expect(log.values == row.expected(count))
    }
    let both = EventLog<Int>()
    Signal.concat([short, long]).log(to: both).dispose()
    #expect(both.values == row.expected(3) + row.expected(6))
  }

  @Test("Laws 9 and 16: a row that was nested ends, fails and is disposed as the operators in a row did")
  func ends() {
    for isNested in [true, false] {
      let inputs = (0..<4).map { _ in Emitter<Int>() }
      let signals = inputs.map(\.signal)
      let merged =
        isNested ? signals[0].merge(with: signals[1]).merge(with: signals[2]).merge(with: signals[3]) : .merge(signals)
      let log = EventLog<Int>()
      let subscription = merged.log(to: log)
      for (index, input) in inputs.enumerated() { input.send(index) }
      inputs[2].finish()
      inputs[0].send(4)
      #expect(log.values == [0, 1, 2, 3, 4] && log.ends.isEmpty)
      inputs[1].fail(Failure(number: 1))
      #expect(log.ends.count == 1 && subscription.isDisposed)
      #expect(inputs.allSatisfy { $0.subscriberCount == 0 })

      let steps = (0..<3).map { _ in Emitter<Int>() }
      let parts = steps.map(\.signal)
      let joined = isNested ? parts[0].concat(parts[1]).concat(parts[2]) : .concat(parts)
      let joinedLog = EventLog<Int>()
      let joinedSubscription = joined.log(to: joinedLog)
      #expect(steps.map(\.subscriberCount) == [1, 0, 0])
      steps[0].send(0)
      steps[0].finish()
      #expect(steps.map(\.subscriberCount) == [0, 1, 0])
      steps[1].send(1)
      steps[2].send(9)
      joinedSubscription.dispose()
      #expect(joinedLog.values == [0, 1] && joinedLog.ends.isEmpty)
      #expect(steps.allSatisfy { $0.subscriberCount == 0 })
    }
  }

  /// Operators that stay nested.
  static let operators: [(name: String, apply: @Sendable (Signal<Int>) -> Signal<Int>)] = [
    ("map", { $0.map { $0 } }),
    ("scan", { $0.scan(0) { $1 } }),
    ("removeDuplicates", { $0.removeDuplicates() }),
    ("handle", { $0.handle(onFinish: {}) }),
    ("named", { $0.named("a name") }),
    ("share", { $0.share() }),
    ("prefix", { $0.prefix(1_000) }),
    ("prefix(untilOutputFrom:)", { $0.prefix(untilOutputFrom: Signal<Int>.never()) }),
    ("catch", { $0.catch { _ in .empty() } }),
    ("retry", { $0.retry(1) }),
    ("timeout", { $0.timeout(after: .seconds(3600), on: VirtualTimeScheduler()) }),
    ("receive(on: .immediate)", { $0.receive(on: .immediate) }),
    ("flatMap", { $0.flatMap { .just($0) } }),
    ("flatMapLatest", { $0.flatMapLatest { .just($0) } }),
    ("merge and map", { $0.merge(with: .never()).map { $0 } }),
    ("prepend and concat", { $0.prepend([]).concat(.empty()) }),
    ("combineLatest and map", { $0.combineLatest(.just(0)).map { $0 + $1 } }),
    ("zip and map", { $0.zip(.sequence([0, 0, 0, 0])).map { $0 + $1 } }),
    ("withLatest and map", { $0.withLatest(from: .just(0)).map { $0 + $1 } }),
  ]

  /// Where the stack is in the function that calls this.
  @inline(never)
  private static func depth() -> Int {
    withUnsafeTemporaryAllocation(byteCount: 16, alignment: 16) { Int(bitPattern: $0.baseAddress) }
  }

  /// Notes how deep the stack is when it is released.
  private final class DepthProbe: Sendable {
    let depth: Box<Int>
    init(_ depth: Box<Int>) { self.depth = depth }
    deinit { depth.value = NestingTests.depth() }
  }

  /// How many bytes of stack a level takes (with `SHOW_STACK=1` the test below prints them): while it is subscribed to, while a value passes, while it is disposed and released.
  private static func bytes(_ apply: (Signal<Int>) -> Signal<Int>, levels: Int) -> [Int] {
    let (subscribed, received, disposed, released) = (Box(0), Box(0), Box(0), Box(0))
    let emitter = Emitter<Int>()
    var signal: Signal<Int>? = Signal { [probe = DepthProbe(released)] producer in
      subscribed.value = depth()
      _ = probe
      producer.onDisposal { disposed.value = depth() }
      producer.own(emitter.signal.subscribe { producer.send($0) })
    }
    for _ in 0..<levels { signal = signal.map(apply) }
    let start = depth()
    let subscription = signal?.subscribe { _ in received.value = depth() }
    emitter.send(1)
    emitter.send(2)
    subscription?.dispose()
    signal = nil
    return [subscribed, received, disposed, released].map { $0.value == 0 ? 0 : max(0, (start - $0.value) / levels) }
  }

  /// Whether the stack is what it is for users: a build that is not optimised takes several times as much, and a sanitizer has limits of its own.
  private static var isStackUsual: Bool {
    #if DEBUG
      false
    #else
      true
    #endif
  }

  @Test(
    "3,000 nested levels of any operator fit into a stack of 8 MB", .enabled(if: isStackUsual),
    arguments: operators.indices)
  func levels(_ index: Int) async {
    let (name, apply) = Self.operators[index]
    let levels = 3_000
    let measured = Box<[Int]>([])
    await onThread(stack: 256 << 20) { measured.value = Self.bytes(apply, levels: levels) }
    let most = measured.value.max() ?? 0
    if ProcessInfo.processInfo.environment["SHOW_STACK"] != nil {
      print("\(name): \(measured.value) bytes a level, \((8 << 20) / max(1, most)) levels in 8 MB")
    }
    #expect(most > 0)
    #expect(most * levels < 8 << 20, "\(name): \(measured.value) bytes")
  }
}
