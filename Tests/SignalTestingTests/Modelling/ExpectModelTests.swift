import Signals
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

  @Test func noOperatorsAreNothingToCheck() {
    let failures = heldFailures { expectModel(ofChainsOf: []) }
    #expect(failures.first?.message.contains("no operators") ?? false)
  }
}
