import Foundation
import Signals
import Testing

@testable import SignalTesting

/// What the letters of an order stand for.
@Suite struct LegendTests {
  private struct OutOfOrder: Error {}

  private func legend(of failures: [FailureCapture.Failure]) -> [String] {
    let lines = failures.first?.message.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) } ?? []
    return lines.filter { $0.dropFirst().hasPrefix(" = ") }
  }

  @Test func sourcesAreNamedByTheirDiagramAndLine() {
    let line = #line
    let failures = heldFailures {
      marblesInEveryOrder { m in
        let left = m.hot("-a-|")
        let right = m.hot("-b-|")
        m.expect(Signal.merge(left.signal, right.signal), "-(ab)-|")
      }
    }
    #expect(
      legend(of: failures) == [
        "b = hot source \"-a-|\" LegendTests.swift:\(line + 3)",
        "c = hot source \"-b-|\" LegendTests.swift:\(line + 4)",
      ])
  }

  @Test func coldSourcesToo() {
    let line = #line
    let failures = heldFailures {
      marblesInEveryOrder { m in
        let left = m.cold("-a-|")
        let right = m.cold("-b-|")
        m.expect(Signal.merge(left.signal, right.signal), "-(ab)-|")
      }
    }
    #expect(
      legend(of: failures) == [
        "b = cold source \"-a-|\" LegendTests.swift:\(line + 3)",
        "c = cold source \"-b-|\" LegendTests.swift:\(line + 4)",
      ])
  }

  /// Also the piece that comes last, and one of which nothing is known.
  @Test func noPieceIsLeftOut() {
    let line = #line
    let failures = heldFailures {
      exploreInterleavings { scheduler in
        let order = Property<[Int]>([])
        let bag = DisposeBag()
        Signal.just(1).delay(for: .seconds(1), on: scheduler).subscribe { order.value.append($0) }.store(in: bag)
        scheduler.schedule {
          _ = scheduler.schedule(after: .seconds(1), tolerance: nil) { order.value.append(2) }
        }
        try scheduler.run()
        if order.value != [1, 2] { throw OutOfOrder() }
      }
    }
    #expect(
      legend(of: failures) == [
        "b = delay LegendTests.swift:\(line + 5)", "c = delay LegendTests.swift:\(line + 5)",
        "d = scheduled by a LegendTests.swift:\(line + 7), in LegendTests.noPieceIsLeftOut()",
      ])
  }
}
