import ArgumentParser
import Dispatch
import Foundation
import Signals
import Synchronization

/// Sends very many values from several threads and counts what arrives.
struct Sends: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract:
      "Sends from several threads at once through an emitter, a chain and a property, and counts: none may be lost.")

  @Option(help: "How many values to send through each.")
  var count = 100_000_000

  @Option(help: "From how many threads.")
  var threads = 4

  func validate() throws {
    if count < 1 || threads < 1 { throw ValidationError("there has to be at least one value and one thread") }
  }

  func run() throws {
    let emitter = Emitter<Int>()
    let chained = Emitter<Int>()
    let property = Property(0)
    let results = [
      measure("emitter", emitter.signal) { emitter.send($0) },
      measure("chain of map, filter and scan", chained.signal.map { $0 }.filter { _ in true }.scan(0) { $1 }) {
        chained.send($0)
      },
      measure("property", property.changes) { property.value = $0 },
    ]
    if results.contains(false) { throw ExitCode.failure }
  }

  /// - Returns: Whether everything arrived, each sender's values in order.
  private func measure(_ name: String, _ signal: Signal<Int>, send: @escaping @Sendable (Int) -> Void) -> Bool {
    let share = count / threads
    let total = share * threads
    let tally = Tally(threads: threads)
    let subscription = signal.subscribe { tally.take(sender: $0 >> 40, number: $0 & (1 << 40 - 1)) }
    let began = DispatchTime.now()
    DispatchQueue.concurrentPerform(iterations: threads) { sender in
      for number in 0..<share { send(sender << 40 | number) }
    }
    // Another sender may still be delivering what the last one has left behind.
    let arrived = wait { tally.count.load(ordering: .acquiring) >= total }
    let seconds = Double(DispatchTime.now().uptimeNanoseconds - began.uptimeNanoseconds) / 1e9
    subscription.dispose()
    let count = tally.count.load(ordering: .acquiring)
    let isRight = arrived && count == total && tally.disorder == 0
    say(
      "\(name): \(grouped(total)) values sent by \(threads) threads, \(grouped(count)) arrived, \(grouped(tally.disorder)) out of order, "
        + "\(String(format: "%.1f", seconds)) s, \(grouped(Int(Double(total) / seconds))) a second")
    return isRight
  }
}

/// Counts the values of several senders, and looks whether each sender's come in order.
// Safe: touched only by the subscriber, which is called by one thread at a time (that is what is being tested), and read afterwards.
private final class Tally: @unchecked Sendable {
  private var next: [Int]
  private(set) var disorder = 0
  let count = Atomic<Int>(0)

  init(threads: Int) { next = Array(repeating: 0, count: threads) }

  func take(sender: Int, number: Int) {
    if next[sender] != number { disorder += 1 }
    next[sender] = number + 1
    count.store(count.load(ordering: .relaxed) + 1, ordering: .releasing)
  }
}
