import Signals
import Synchronization
import Testing

@testable import SignalTesting

@Suite struct ExpectModelTests {
  @Test func theSameSeedMakesTheSameInputs() {
    for seed in [0, 7, .max] as [UInt64] {
      #expect(ModelPlan(seed: seed, inputCount: 3) == ModelPlan(seed: seed, inputCount: 3))
    }
    #expect(Set((0...99).map { ModelPlan(seed: $0, inputCount: 1) }).count > 60)
  }

  @Test func inputsAreOfEveryKind() {
    let plans = (0..<1_000 as Range<UInt64>).map { ModelPlan(seed: $0, inputCount: 1).inputs[0] }
    #expect(plans.contains { $0.isEmpty })
    #expect(plans.contains { $0.map(\.kind) == [.finished] && $0[0].frame == nil })
    #expect(plans.contains { $0.map(\.kind) == [.failed] && $0[0].frame != nil })
    #expect(plans.contains { $0.count > 3 && !$0[$0.count - 1].isEnd })
    #expect(plans.contains { $0.count > 2 && $0[0].frame == nil && $0[2].frame != nil })
    #expect(plans.contains { Set($0.compactMap(\.frame)).count < $0.compactMap(\.frame).count - 2 })
    for plan in plans {
      #expect(plan.dropLast().allSatisfy { !$0.isEnd })
      let frames = plan.map { $0.frame ?? -1 }
      #expect(frames == frames.sorted())
    }
  }

  @Test func eachStepOfShrinkingKeepsInputsLawful() {
    for seed in 0..<200 as Range<UInt64> {
      for plan in ModelPlan(seed: seed, inputCount: 2).smaller {
        for input in plan.inputs {
          #expect(input.dropLast().allSatisfy { !$0.isEnd })
          let frames = input.map { $0.frame ?? -1 }
          #expect(frames == frames.sorted())
        }
      }
    }
  }

  @Test func theSeedThatIsPrintedFailsAgain() throws {
    func run(_ seeds: ClosedRange<UInt64>) -> (ModelRuns?, String) {
      var runs: ModelRuns?
      let failures = heldFailures {
        runs = expectModel(of: "dropFirst", seeds: seeds) { upstream, _ in
          upstream.dropFirst(3)
        } reference: { events, _ in
          var count = 0
          return events.replacingValues { value in
            count += 1
            return count > 2 ? [value] : []
          }
        }
      }
      return (runs, failures.first?.message ?? "")
    }
    let (first, message) = run(0...199)
    let seed = try #require(first?.failingSeed)
    #expect(message.contains("seeds: \(seed)...\(seed))"))
    let (again, same) = run(seed...seed)
    #expect(again == ModelRuns(runCount: 1, failingSeed: seed))
    #expect(same == message)
  }

  @Test func whatARunThrowsAndReportsFails() {
    let thrown = heldFailures {
      expectModel(of: "none") { _, _ -> Signal<Int> in
        throw CancellationError()
      } reference: { events, _ in
        events
      }
    }
    #expect(thrown.first?.message.contains("The run threw CancellationError()") ?? false)
    let endless = heldFailures {
      expectModel(of: "busy", workLimit: 1_000) { upstream, inputs in
        Signal { [scheduler = inputs.scheduler] producer in
          @Sendable func again() { if producer.isActive { scheduler.schedule(again) } }
          again()
          producer.own(upstream.subscribeToEvents { producer.send(event: $0) })
        }
      } reference: { events, _ in
        events
      }
    }
    #expect(endless.count == 1)
  }

  @Test func inputsSendTheValuesThatTheyAreGiven() {
    let seen = Mutex<Set<Int>>([])
    expectModel(of: "map", others: 1, inners: 1, values: [-7, 100, .max]) { upstream, inputs in
      Signal.merge(upstream, inputs.others[0], inputs.inners[0])
        .handle(onValue: { value in _ = seen.withLock { $0.insert(value) } }).filter { _ in false }
    } reference: { events, inputs in
      let ends = inputs.inOrder(events, inputs.others[0], inputs.inners[0]).filter { $0.event.event.isEnd }
      let failure = ends.first { if case .failed = $0.event.event { true } else { false } }?.event
      return failure.map { [$0] } ?? (ends.count == 3 ? [ends[2].event] : [])
    }
    #expect(seen.withLock { $0 } == [-7, 100, .max])
  }

  @Test func aBugThatOnlyNegativeNumbersShow() {
    func failures(_ values: [Int]) -> [String] {
      heldFailures {
        expectModel(of: "halved", values: values) { upstream, _ in
          upstream.map { $0 >> 1 }
        } reference: { events, _ in
          events.replacingValues { [$0 / 2] }
        }
      }.map(\.message)
    }
    #expect(failures(Array(0...9)).isEmpty)
    let found = failures([0, 1, -1, -3])
    #expect(found.count == 1)
    // Made as simple as the values allow.
    #expect(found.first?.contains("<-1>") ?? false, "\(found)")
  }

  @Test func chainsGetTheValuesToo() {
    let halved = ModelOperator("halved") { upstream, _ in
      upstream.map { $0 >> 1 }
    } reference: { events, _ in
      events.replacingValues { [$0 / 2] }
    }
    #expect(heldFailures { expectModel(ofChainsOf: [halved], seeds: 0...49) }.isEmpty)
    #expect(heldFailures { expectModel(ofChainsOf: [halved], values: [-1], seeds: 0...49) }.count == 1)
  }

  @Test func withoutValuesThereIsNothingToSend() {
    let failures = heldFailures {
      expectModel(of: "same", values: []) { upstream, _ in
        upstream
      } reference: { events, _ in
        events
      }
    }
    #expect(failures.first?.message.contains("no values") ?? false)
  }

  @Test func wordsAreMadeOfNumbers() {
    let words = ["", " ", "a", " a", "a b "]
    expectModel(of: "trimmed", values: words.indices) { upstream, _ in
      upstream.map { words[$0] }.map { $0.filter { $0 != " " } }
    } reference: { events, _ in
      events.replacingValues { [words[$0].split(separator: " ").joined()] }
    }
  }

  @Test func valuesBeyondTheHorizonFail() {
    func messages(horizon: Duration) -> [String] {
      heldFailures {
        expectModel(of: "late", seeds: 0...49, horizon: horizon) { upstream, inputs in
          upstream.map { $0 + 1 }.delay(for: .milliseconds(200), on: inputs.scheduler)
        } reference: { events, _ in
          events.compactMap { event in
            guard case .failed = event.event else { return nil }
            var failure = event
            failure.isInsideSubscribe = false
            return failure
          }
        }
      }.map(\.message)
    }
    #expect(
      messages(horizon: .milliseconds(100)) == [
        "late has no value until the horizon, so no value was compared. With seed 1 the first value comes after 208 ms. "
          + "Pass a longer horizon:."
      ])
    #expect(messages(horizon: .milliseconds(400)).first?.contains("late differs from its reference") == true)
  }

  @Test func valuesOfTheReferenceBeyondTheHorizonFail() {
    let failures = heldFailures {
      expectModel(of: "silent", seeds: 0...49) { upstream, _ in
        upstream.filter { _ in false }
      } reference: { events, _ in
        events.map { event in if case .value = event.event { event.delayed(by: .seconds(3600)) } else { event } }
      }
    }
    #expect(failures.count == 1)
    #expect(failures.first?.message.contains("no value was compared") == true, "\(failures)")
  }

  @Test func objectIsComparedOnArrival() throws {
    func check(_ isChangedFirst: Bool) -> [FailureCapture.Failure] {
      heldFailures {
        expectModel(of: "cards", seeds: 0...49) { upstream, _ in
          upstream.lift(Site("cards", fileID: #fileID, line: #line, function: #function), state: 0) {
            _, value, downstream in
            let card = Card("")
            if isChangedFirst { card.text = "\(value)" }
            try downstream.send(card)
            card.text = "\(value)"
          }
        } reference: { events, _ in
          events.replacingValues { [Card("\($0)")] }
        }
      }
    }
    #expect(check(true).isEmpty)
    let late = check(false)
    try #require(late.count == 1)
    let actual = try #require(late[0].message.split(separator: "\n").first { $0.contains("actual") })
    #expect(!actual.contains("1"), "\(late[0].message)")
  }

  @Test func operatorWithoutValuesPasses() {
    expectModel(of: "ignored", seeds: 0...49) { upstream, inputs in
      .merge(upstream.filter { _ in false }, .never())
    } reference: { events, _ in
      events.filter { if case .failed = $0.event { true } else { false } }
    }
  }

  @Test func noOperatorsAreNothingToCheck() {
    let failures = heldFailures { expectModel(ofChainsOf: []) }
    #expect(failures.first?.message.contains("no operators") ?? false)
  }
}

/// An object that may change after it was delivered.
private final class Card: Sendable, Equatable, CustomStringConvertible {
  private let content: Mutex<String>

  init(_ text: String) { content = Mutex(text) }

  var text: String {
    get { content.withLock { $0 } }
    set { content.withLock { $0 = newValue } }
  }
  var description: String { text }

  static func == (left: Card, right: Card) -> Bool { left.text == right.text }
}
