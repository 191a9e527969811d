import Foundation
import Signals
import Testing

@testable import SignalTesting

/// Copies of operators with a bug, compared with the references of the right ones.
@Suite struct PlantedBugTests {
  private static let models = LibraryModelTests.operators

  /// The marbles in the message for a broken copy, without carets.
  private func finding(
    _ name: String, _ broken: @escaping @Sendable (Signal<Int>, ModelInputs) -> Signal<Int>
  ) throws -> [String] {
    let model = try #require(Self.models.first { $0.name == name })
    let failures = heldFailures {
      let runs = expectModel(of: name, others: model.otherCount, broken, reference: model.reference)
      #expect(runs.failingSeed != nil)
    }
    try #require(failures.count == 1)
    #expect(failures[0].message.contains("\(name) differs from its reference"))
    return rows(failures[0].message)
  }

  private func rows(_ message: String) -> [String] {
    message.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }.filter {
      $0.hasPrefix("upstream") || $0.hasPrefix("other") || $0.hasPrefix("expected") || $0.hasPrefix("actual")
    }
  }

  @Test(arguments: [7, 12, 20]) func lostValueIsFound(_ number: Int) {
    let failures = heldFailures {
      let runs = expectModel(of: "losing") { upstream, _ in
        upstream.losing(number: number)
      } reference: { events, _ in
        events
      }
      #expect(runs.failingSeed != nil)
    }
    #expect(failures.count == 1)
  }

  @Test func mergeThatEndsWithTheFirst() throws {
    let lines = try finding("merge") { upstream, inputs in
      upstream.materialize().merge(with: inputs.others[0].materialize()).dematerialize()
    }
    #expect(
      lines == [
        "upstream  --",
        "other     |-",
        "expected  --",
        "actual    |-",
      ])
  }

  @Test func debounceThatWaitsAlsoAtTheEnd() throws {
    let lines = try finding("debounce") { upstream, inputs in
      upstream.flatMapLatest { [scheduler = inputs.scheduler] value in
        Signal.timer(after: TimeModels.wait, on: scheduler).map { value }
      }
    }
    #expect(
      lines == [
        "upstream  (0|)---   -",
        "expected  (0|)---   -",
        "actual    -   --(0|)-",
      ])
  }

  @Test func zipThatForgetsWhatWaits() throws {
    let lines = try finding("zip") { upstream, inputs in
      upstream.withLatest(from: inputs.others[0]).map { $0 * 10 + $1 }
    }
    #expect(
      lines == [
        "upstream  0-",
        "other     0-",
        "expected  0-",
        "actual    --",
      ])
  }

  @Test func withLatestThatDeliversForBoth() throws {
    let lines = try finding("withLatest(from:)") { upstream, inputs in
      upstream.combineLatest(inputs.others[0]).map { $0 * 10 + $1 }
    }
    #expect(
      lines == [
        "upstream  --",
        "other     |-",
        "expected  --",
        "actual    |-",
      ])
  }

  @Test func removeDuplicatesThatTakesOneForAnother() throws {
    let lines = try finding("removeDuplicates") { upstream, _ in
      upstream.removeDuplicates { $0 == $1 || ($0 == 1 && $1 == 2) }
    }
    #expect(
      lines == [
        "upstream  (12)-",
        "expected  (12)-",
        "actual    1   -",
      ])
  }

  @Test func throttleWithoutItsLastValue() throws {
    let lines = try finding("throttle, latest") { upstream, inputs in
      upstream.throttle(for: TimeModels.wait, on: inputs.scheduler, latest: false)
    }
    #expect(
      lines == [
        "upstream  (00)----",
        "expected  0   --0-",
        "actual    0   ----",
      ])
  }

  @Test func aBugInAChainIsFoundAndTheChainShortened() throws {
    let broken = ModelOperator("broken prefix") { upstream, _ in
      upstream.prefix(2)
    } reference: { events, _ in
      var left = 3
      return each(events) { value in
        left -= 1
        return left == 0 ? [.value(value), .finished] : [.value(value)]
      }
    }
    let failures = heldFailures { expectModel(ofChainsOf: ValueModels.all + [broken]) }
    try #require(failures.count == 1)
    #expect(failures[0].message.contains("\n  broken prefix differs from its reference"))
    #expect(rows(failures[0].message) == ["upstream  (00) -", "expected  (00) -", "actual    (00|)-"])
  }
}
