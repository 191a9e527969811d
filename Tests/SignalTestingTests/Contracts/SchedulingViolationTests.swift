import Dispatch
import SignalTesting
import Signals
import Synchronization
import Testing

/// Operators that schedule their work, or keep state, in a wrong way, each with a correct one beside it.
@Suite struct SchedulingViolationTests {
  @Test func eventsThatAreScheduledOneByOneMayOvertake() {
    let message = failure {
      expectLaws(
        of: OperatorContract("hop", delivery: .scheduled, delivers: { $0 }) { upstream, inputs in
          Signal { producer in
            producer.own(
              upstream.subscribeToEvents { event in
                producer.own(inputs.scheduler.schedule(after: .zero) { producer.send(event: event) })
              })
          }
        })
    }
    #expect(message.contains("law 14"), "\(message)")
    #expect(message.contains("in another order than it was scheduled"), "\(message)")
    expectLaws(
      of: OperatorContract("receive", delivery: .scheduled, delivers: { $0 }) { $0.receive(on: $1.scheduler) })
  }

  @Test func lateEventsAreFoundWithAFrameOfZero() {
    let message = failure {
      expectLaws(of: OperatorContract("hop", frame: .zero) { $0.receive(on: $1.scheduler) })
    }
    #expect(message.contains("breaks law 5"), "\(message)")
    #expect(message.contains("4 of 4 events arrived after send had returned"), "\(message)")
  }

  @Test func timersInRealTimeAreFound() {
    for schedulers in [DispatchQueueScheduler.qos(.utility) as any Scheduler, MainScheduler.main] {
      let message = failure {
        expectLaws(of: "ofTenSeconds", delivers: { $0 }) {
          $0.prefix(untilOutputFrom: Signal<Void>.timer(after: .seconds(10), on: schedulers))
        }
      }
      #expect(message.contains("schedules work in real time"), "\(message)")
    }
  }

  @Test(.enabled(if: noticesRealTime)) func workForQueuesIsFound() {
    let message = failure {
      expectLaws(of: "logged", delivers: { $0 }) {
        $0.handle(onValue: { _ in DispatchQueue.global().asyncAfter(deadline: .now() + 0.001) {} })
      }
    }
    #expect(message.contains("schedules work in real time"), "\(message)")
  }

  @Test func stateThatADisposalLeavesIsFound() {
    @Sendable func sharedSum(_ upstream: Signal<Int>, resetsAtDisposal: Bool) -> Signal<Int> {
      let sum = Property(0)
      let reset: @Sendable () -> Void = { sum.value = 0 }
      return upstream.handle(
        onValue: { value in sum.update { $0 += value } }, onFailure: { _ in reset() }, onFinish: reset,
        onDispose: { if resetsAtDisposal { reset() } }
      ).map { _ in sum.value }.share()
    }
    func contract(resetsAtDisposal: Bool) -> OperatorContract<Int> {
      OperatorContract(
        "sharedSum", delivers: { values in values.indices.map { values[...$0].reduce(0, +) } },
        exemptions: [.laterSubscriber: "it shares one sum"]
      ) { upstream, _ in sharedSum(upstream, resetsAtDisposal: resetsAtDisposal) }
    }
    let message = failure(offset: 0) { expectLaws(of: contract(resetsAtDisposal: false)) }
    #expect(message.contains("after another one has disposed"), "\(message)")
    expectLaws(of: contract(resetsAtDisposal: true))
  }
}
