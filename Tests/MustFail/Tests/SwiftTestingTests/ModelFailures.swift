import Foundation
import SignalTesting
import Signals
import Testing

// XCTest: final class ModelFailuresXCTest: ExploringTestCase {
@Suite struct ModelFailures {
  @Test func operatorDiffersFromItsModel() {
    expectModel(of: "doubled") { upstream, _ in  // must fail with carets: doubled differs from its reference.
      upstream.prefix(2).map { $0 * 2 }
    } reference: { events, _ in
      events.replacingValues { [$0 * 2] }
    }
  }

  @Test func operatorWithFurtherInputsDiffers() {
    expectModel(of: "merged", others: 1) { upstream, inputs in  // must fail with carets: merged differs from its
      upstream.merge(with: inputs.others[0])
    } reference: { events, inputs in
      inputs.inOrder(events, inputs.others[0]).map(\.event)
    }
  }

  @Test func flatteningOperatorDiffers() {
    expectModel(of: "newest", inners: 2) { upstream, inputs in  // must fail with carets: newest differs from its
      upstream.flatMap { [inners = inputs.inners] in inners[$0 % 2] }
    } reference: { events, _ in
      events.replacingValues { _ in [] as [Int] }
    }
  }

  @Test func chainDiffersFromItsModel() {
    let same = ModelOperator("same") { upstream, _ in
      upstream
    } reference: { events, _ in
      events
    }
    let odd = ModelOperator("odd") { upstream, _ in
      upstream.filter { $0 % 2 == 0 }
    } reference: { events, _ in
      events.replacingValues { $0 % 2 == 1 ? [$0] : [] }
    }
    expectModel(ofChainsOf: [same, odd])  // must fail with carets: odd differs from its reference.
  }

  @Test func operatorThrowsUnderAModel() {
    expectModel(of: "broken") { _, _ -> Signal<Int> in  // must fail: The run threw OutOfOrder().
      throw OutOfOrder()
    } reference: { events, _ in
      events
    }
  }

  @Test func operatorIsItsModel() {
    expectModel(of: "doubled") { upstream, _ in
      upstream.map { $0 * 2 }
    } reference: { events, _ in
      events.replacingValues { [$0 * 2] }
    }
  }

  @Test func raceFailsACheck() {
    searchRaces { race in
      let count = Property(0)
      race.thread { _ in count.update { $0 += 1 } }
      race.thread { _ in count.update { $0 += 1 } }
      // XCTest: race.check { XCTAssertEqual(count.value, 3) }  // must fail: Fails in round 1, with the seed 0.
      race.check { #expect(count.value == 3) }  // must fail: Fails in round 1, with the seed 0.
    }
  }

  @Test func threadOfARaceThrows() {
    searchRaces { race in  // must fail: Thread 2 threw OutOfOrder().
      race.thread { _ in }
      race.thread { _ in throw OutOfOrder() }
    }
  }

  @Test func threadOfARaceHangs() {
    searchRaces(patience: .seconds(2)) { race in  // must fail: Thread 2 has not returned after 2.0 seconds
      race.thread { _ in }
      race.thread { _ in Thread.sleep(forTimeInterval: 3_600) }  // Safe: the hang that has to be found
    }
  }

  @Test func raceOfOneThread() {
    searchRaces { race in  // must fail: There is 1 thread. Call race.thread
      race.thread { _ in }
    }
  }

  @Test func raceThatPasses() {
    searchRaces(rounds: 50) { race in
      let count = Property(0)
      race.thread { _ in count.update { $0 += 1 } }
      race.thread { _ in count.update { $0 += 1 } }
      // XCTest: race.check { XCTAssertEqual(count.value, 2) }
      race.check { #expect(count.value == 2) }
    }
  }
}
