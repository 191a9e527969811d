import Dispatch
import Foundation
import SignalGraph
import SignalRecording
import Signals
import Testing

@Suite("a disposal that hangs") struct HangingDisposalTests {
  private final class Owner: Sendable {}

  @Test func isWaitedForOnce() {
    let recorder = GraphRecorder()
    let (hangs, goOn) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    recorder.record {
      let owner = Owner()
      Signal<Int> { producer in
        producer.onDisposal {
          hangs.signal()
          goOn.wait()
        }
      }
      .subscribe(with: owner) { _, _ in }
    }
    let group = DispatchGroup()
    DispatchQueue.global().async(group: group) { _ = recorder.snapshot() }
    hangs.wait()
    let time = ContinuousClock().measure { for _ in 0..<20 { _ = recorder.snapshot() } }
    // Each that waits takes a second.
    #expect(time < .seconds(10))
    goOn.signal()
    group.wait()
    // Another test's look may be the one that hung: it goes on by itself.
    let limit = ContinuousClock.now + .seconds(60)
    while !recorder.snapshot().nodes.allSatisfy({ $0.state == .disposed }), .now < limit { sched_yield() }
    #expect(recorder.snapshot().nodes.allSatisfy { $0.state == .disposed })
  }
}
