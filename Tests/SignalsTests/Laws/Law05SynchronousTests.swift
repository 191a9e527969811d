import Foundation
import OperatorTable
import Signals
import Testing

@Suite("Law 5: synchronous by default")
struct Law05SynchronousTests {
  @Test(
    "Law 5: a send is delivered when it returns, on the sender's thread", arguments: operatorTable.filter { !$0.timed })
  func delivered(row: OperatorRow) {
    let bench = OperatorBench(row)
    let threads = Journal<ObjectIdentifier>()
    let log = EventLog<Int>()
    let subscription = bench.subscribe(bench.signal()) { event in
      log.append(event)
      threads.append(ObjectIdentifier(Thread.current))
    }
    onThreads {
      bench.prime()
      let before = log.values.count
      for (count, value) in [1, 3, 4].enumerated() {
        bench.input.send(value)
        let expected = row.model(Array([1, 3, 4].prefix(count + 1))).filter { $0 != 7 && $0 != 100 && $0 != 50 }
        #expect(log.values.filter { $0 != 7 && $0 != 100 && $0 != 50 } == expected)
        #expect(threads.entries.dropFirst(before).allSatisfy { $0 == ObjectIdentifier(Thread.current) })
      }
    }
    withExtendedLifetime(subscription) {}
  }
}
