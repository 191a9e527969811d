import Signals
import Synchronization
import Testing

@testable import SignalTesting

@Suite struct MutateSourcesTests {
  @Test func aCompleteTestNoticesEverything() {
    let report = expectMutationsNoticed { m in
      let source = m.hot("-a-b-(cd)-|")
      m.expect(source.signal, "-a-b-(cd)-|")
    }
    // Four of each, and the end can be dropped and delayed; d and the end cannot be swapped.
    #expect(report.mutations.count == 17)
    #expect(report.score == 1)
    #expect(report.description == "17 of 17 mutations noticed.")
    expectMutationsNoticed { m in
      let source = m.cold("{a}--b-#")
      m.expect(source.signal, "{a}--b-#")
    }
  }

  @Test func whatNobodyLooksAtIsTold() throws {
    let report = mutateSources { m in
      let source = m.hot("-a-b-|")
      m.expect(source.signal.count(), "-----(<2>|)", values: ["2": 2])
    }
    #expect(Set(report.unnoticed.map(\.kind)) == [.delayed, .swapped])
    #expect(
      report.description == """
        6 of 9 mutations noticed. Not noticed:
          source 1, event 1 (a): a frame later
            test     -a-b-|
            mutated  --ab-|
          source 1, event 1 (a): swapped with the next
            test     -a-b-|
            mutated  -b-a-|
          source 1, event 2 (b): a frame later
            test     -a-b-|
            mutated  -a--b|
        """)
  }

  @Test func theAssertionTellsWhatWasNotNoticed() throws {
    func check(unnoticed: Int) {
      expectMutationsNoticed(unnoticed: unnoticed) { m in
        let source = m.hot("-a-b-|")
        m.expect(source.signal, "-?-?-|")
      }
    }
    let failed = heldFailures { check(unnoticed: 0) }
    try #require(failed.count == 1)
    #expect(failed[0].message.contains("8 of 9 mutations noticed. Not noticed:"))
    #expect(failed[0].message.contains("pass unnoticed: 1"))
    check(unnoticed: 1)
    #expect(heldFailures { check(unnoticed: 2) }.first?.message.contains("Pass unnoticed: 1.") ?? false)
  }

  @Test func eachSourceIsChanged() {
    let report = mutateSources { m in
      let left = m.hot("-a---|")
      let right = m.cold("---b-|")
      m.expect(Signal.merge(left.signal, right.signal), "-a-b-|")
    }
    #expect(Set(report.mutations.map(\.source)) == [1, 2])
    // One end alone makes no difference.
    #expect(report.unnoticed.isEmpty)
  }

  @Test func testThatPassesOnlyOnceFails() {
    let count = Mutex(0)
    let failures = heldFailures {
      let report = expectMutationsNoticed { m in
        let source = m.hot("-a-b-|")
        let counted = source.signal.map { _ in
          count.withLock { count in
            count += 1
            return count
          }
        }
        m.expect(counted.last(), "-----(<2>|)", values: ["2": 2])
      }
      #expect(report.mutations.isEmpty)
    }
    #expect(failures.count == 1)
    #expect(failures.first?.message.contains("passed in its first run, but not in a later one") == true)
    #expect(failures.first?.message.contains("To do: create everything in the closure") == true)
  }

  @Test func aTestThatFailsIsToldAsItIs() {
    let failures = heldFailures {
      let report = mutateSources { m in
        let source = m.hot("-a-|")
        m.expect(source.signal, "-b-|")
      }
      #expect(report.mutations.isEmpty)
    }
    #expect(failures.count == 1)
    #expect(heldFailures { expectMutationsNoticed { m in m.expect(m.hot("-").signal, "-") } }.count == 1)
  }
}
