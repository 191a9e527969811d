import Dispatch
import Foundation
import Signals

/// Sends through every operator that hops, onto the main queue and from everywhere, and uses the main actor's state below without asking first.
///
/// Where something is not on the main queue, `MainActor.assumeIsolated` ends the program.
public struct MainQueueTrial: Sendable {
  private static let threads = 4
  private static let valuesEach = 1_000

  /// A hop onto the main queue.
  private struct Hop: Sendable {
    let name: String
    var isLossless = true
    let apply: @Sendable (Signal<Int>, MainScheduler) -> Signal<Int>
  }

  private static let hops = [
    Hop(name: "receive(on:)") { $0.receive(on: $1) },
    Hop(name: "delay") { $0.delay(for: .microseconds(10), on: $1) },
    Hop(name: "debounce", isLossless: false) { $0.debounce(for: .microseconds(10), on: $1) },
    Hop(name: "throttle", isLossless: false) { $0.throttle(for: .microseconds(10), on: $1, latest: false) },
    Hop(name: "throttle, latest", isLossless: false) { $0.throttle(for: .microseconds(10), on: $1, latest: true) },
  ]

  /// Makes a trial.
  public init() {}

  /// Makes all attempts. The main queue has to be served meanwhile.
  ///
  /// - Returns: What was not as it should be.
  public func complaints() async -> [String] {
    var complaints: [String] = []
    for (form, scheduler) in [("main", MainScheduler.main), ("mainImmediate", .mainImmediate)] {
      for hop in Self.hops {
        for fails in [false, true] {
          let values = await burst(hop, scheduler, fails: fails)
          // A failure drops what a delay is holding back.
          let isAll = hop.isLossless && !(fails && hop.name == "delay")
          if isAll, values.count != Self.threads * Self.valuesEach {
            complaints.append("\(hop.name) on \(form): \(values.count) values")
          }
          for thread in 0..<Self.threads {
            let own = values.filter { $0 / Self.valuesEach == thread }
            if own != own.sorted() { complaints.append("\(hop.name) on \(form): not in order") }
          }
        }
      }
      let ticks = await values(of: .interval(every: .microseconds(10), on: scheduler).prefix(50))
      if ticks != Array(0..<50) { complaints.append("interval on \(form): \(ticks)") }
      let once = await values(of: Signal.timer(after: .microseconds(10), on: scheduler).map { 1 })
      if once != [1] { complaints.append("timer on \(form): \(once)") }
    }
    // On a queue that leads to the main queue, the sender is there already.
    let queue = DispatchQueue(label: "leads to the main queue", target: .main)
    let emitter = Emitter<Int>()
    let fromThere = await values(of: emitter.signal.receive(on: .mainImmediate)) {
      queue.async {
        for value in 0..<10 { emitter.send(value) }
        emitter.finish()
      }
    }
    if fromThere != Array(0..<10) { complaints.append("from a queue that leads to the main queue: \(fromThere)") }
    return await complaints + whenThere()
  }

  /// Sends from several threads at once.
  private func burst(_ hop: Hop, _ scheduler: MainScheduler, fails: Bool) async -> [Int] {
    let emitter = Emitter<Int>()
    return await values(of: hop.apply(emitter.signal, scheduler)) {
      let senders = DispatchGroup()
      for thread in 0..<Self.threads {
        senders.enter()
        Thread.detachNewThread {
          for index in 0..<Self.valuesEach { emitter.send(thread * Self.valuesEach + index) }
          senders.leave()
        }
      }
      senders.notify(queue: .global()) {
        if fails { emitter.fail(CancellationError()) } else { emitter.finish() }
      }
    }
  }

  /// The values until the end, collected on the main actor.
  private func values(
    of signal: Signal<Int>, whileSubscribed send: @Sendable () -> Void = {}
  ) async -> [Int] {
    let collection = Collection()
    await withCheckedContinuation { continuation in
      signal.map { value in
        MainActor.assumeIsolated { collection.values.append(value) }
      }.subscribe(
        onFailure: { _ in
          MainActor.preconditionIsolated()
          continuation.resume()
        },
        onFinish: {
          MainActor.preconditionIsolated()
          continuation.resume()
        }
      ).retained()
      send()
    }
    return await collection.values
  }

  /// What the immediate form does for code of the main actor, when nothing else waits.
  @MainActor
  private func whenThere() async -> [String] {
    var counts: [Int] = []
    // Other code of the process may use the main queue too.
    while counts.count < 1_000, counts.last != 1_000 {
      counts.append(immediateCount(of: 1_000))
      await Task.yield()
    }
    return counts.last == 1_000 ? [] : ["mainImmediate: \(counts) of 1000 values came before send returned"]
  }

  /// How many of so many values, each sent by the handler of the one before, come before `send` returns.
  @MainActor
  private func immediateCount(of count: Int) -> Int {
    let emitter = Emitter<Int>()
    let collection = Collection()
    let subscription = emitter.signal.receive(on: .mainImmediate).subscribe { value in
      MainActor.assumeIsolated { collection.values.append(value) }
      if value < count { emitter.send(value + 1) }
    }
    emitter.send(1)
    withExtendedLifetime(subscription) {}
    return collection.values == Array(1...count) ? count : collection.values.count
  }

  @MainActor
  private final class Collection {
    var values: [Int] = []
  }
}

extension MainQueueTrial {
  /// Makes all attempts and ends the program: with status 0 if all is as it should be.
  public func run() async -> Never {
    // Whoever does not serve the main queue would wait for ever.
    DispatchQueue.global().asyncAfter(deadline: .now() + 120) {
      print("the main queue is not served")
      exit(2)
    }
    let complaints = await complaints()
    print(complaints.isEmpty ? "all on the main queue" : complaints.joined(separator: "\n"))
    exit(complaints.isEmpty ? 0 : 1)
  }
}
