import Dispatch
import Foundation
import Synchronization

/// Runs scenarios of virtual time on all cores, beside ordinary tasks, and checks that each has one and the same result.
///
///     soak [RUNS]
@main enum Soak {
  static func main() async {
    let count = CommandLine.arguments.dropFirst().first.flatMap { Int($0) } ?? 10_000
    let isOver = Flag()
    let bystanders = (0..<2).map { _ in bystander(until: isOver) }
    // On other threads than tasks have, and not on the main one: nobody serves that meanwhile.
    let findings = await withCheckedContinuation { continuation in
      DispatchQueue.global().async { continuation.resume(returning: results(of: count)) }
    }
    isOver.set()
    var steps = 0
    for bystander in bystanders { steps += await bystander.value }
    let wrong = findings.flatMap(\.wrong)
    for line in wrong { print(line) }
    print(
      "\(count) runs of \(findings.count) scenarios on \(ProcessInfo.processInfo.activeProcessorCount) cores: "
        + (wrong.isEmpty ? "one result each" : "\(wrong.count) wrong")
        + "; ordinary tasks beside them took \(steps) steps")
    exit(wrong.isEmpty && steps > 0 ? 0 : 1)
  }

  /// An ordinary task, which goes on undisturbed.
  private static func bystander(until isOver: Flag) -> Task<Int, Never> {
    Task.detached {
      var steps = 0
      while !isOver.isSet {
        await Task.yield()
        steps += 1
      }
      return steps
    }
  }

  private static func results(of count: Int) -> [Finding] {
    let scenarios = Scenario.staying.map { ($0, false) } + Scenario.leaving.map { ($0, true) }
    let results = Mutex<[[String: Int]]>(Array(repeating: [:], count: scenarios.count))
    DispatchQueue.concurrentPerform(iterations: count) { index in
      let number = index % scenarios.count
      let result = scenarios[number].0.run()
      results.withLock { $0[number][result, default: 0] += 1 }
    }
    return zip(scenarios, results.withLock { $0 }).map { Finding(name: $0.0.name, mustFail: $0.1, results: $1) }
  }
}

/// What came of a scenario.
private struct Finding: Sendable {
  var name: String
  var mustFail: Bool
  /// Each result, and how often it came.
  var results: [String: Int]

  /// What is wrong with it.
  var wrong: [String] {
    let list = results.sorted { $0.value > $1.value }.map { "\n  \($0.value) times \($0.key)" }.joined()
    if results.count > 1 { return ["\(name): \(results.count) different results" + list] }
    // A result ends with the lines that failed.
    let isWrong = results.keys.contains { $0.hasSuffix("[]") == mustFail }
    return isWrong ? ["\(name): \(mustFail ? "passed" : "failed")" + list] : []
  }
}

private final class Flag: Sendable {
  private let value = Atomic<Bool>(false)

  var isSet: Bool { value.load(ordering: .relaxed) }

  func set() { value.store(true, ordering: .relaxed) }
}
