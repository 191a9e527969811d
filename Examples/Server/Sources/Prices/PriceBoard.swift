import ServiceLifecycle
import Signals
import Synchronization

/// What somebody offers for something.
struct Quote: Sendable, Equatable {
  var symbol: String
  var cents: Int
}

/// The latest quotes, and those that are worth an alarm.
final class PriceBoard: Sendable {
  let quotes = Emitter<Quote>()
  private let latest = Mutex<[String: Int]>([:])
  private let alarms = Mutex<[String]>([])

  /// Fills the board until the service is over.
  func connect(_ bag: DisposeBag) {
    let named = quotes.signal.named("quotes")
    named.subscribe { [self] quote in latest.withLock { $0[quote.symbol] = quote.cents } }.store(in: bag)
    named.filter { $0.cents > 9_000 }.named("dear quotes")
      .removeDuplicates { $0.symbol == $1.symbol }
      .subscribe { [self] quote in
        alarms.withLock { $0 = Array(($0 + ["\(quote.symbol) at \(quote.cents)"]).suffix(10)) }
      }.store(in: bag)
  }

  var lines: [String] {
    latest.withLock { $0.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" } }
      + alarms.withLock { $0.map { "alarm: \($0)" } }
  }
}

/// Owns the board's chains while it runs, and makes up quotes.
struct PriceService: Service {
  let board: PriceBoard

  func run() async throws {
    let bag = DisposeBag()
    defer { bag.close() }
    board.connect(bag)
    var number = 0
    while !Task.isShuttingDownGracefully, !Task.isCancelled {
      number += 1
      board.quotes.send(Quote(symbol: ["ABC", "XYZ"][number % 2], cents: 5_000 + number * 37 % 5_000))
      // Ends early when the server is to stop.
      try? await cancelWhenGracefulShutdown { try await Task.sleep(for: .milliseconds(200)) }
    }
  }
}
