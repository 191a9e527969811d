import SignalGraph
import Signals
import Testing

@Suite("What waits in a zip, in the recorded graph")
struct RecordedZipTests {
  private let recorder = GraphRecorder()

  /// How many values wait in the nodes of a kind.
  private func waiting(in kind: String = "zip") -> [UInt64?] {
    let snapshot = recorder.snapshot()
    let ids = snapshot.definitions.filter { $0.kind == kind }.map(\.id)
    return snapshot.nodes.filter { ids.contains($0.definition) }.map(\.waiting)
  }

  @Test("the values of the faster input wait until the others have theirs")
  func faster() {
    recorder.record {
      let (orders, prices) = (Emitter<Int>(), Emitter<Int>())
      orders.send(0)
      let subscription = orders.signal.map { $0 }.zip(prices.signal).subscribe { _ in }
      #expect(waiting() == [nil])
      for number in 1...5 { orders.send(number) }
      #expect(waiting() == [5])
      prices.send(1)
      #expect(waiting() == [4])
      for number in 2...6 { prices.send(number) }
      #expect(waiting() == [1])
      orders.send(6)
      #expect(waiting() == [nil])
      #expect(waiting(in: "map") == [nil])
      withExtendedLifetime(subscription) {}
    }
  }

  @Test("those of several inputs are counted together, also directly below emitters and of a list")
  func several() {
    recorder.record {
      let inputs = (0..<3).map { _ in Emitter<Int>() }
      inputs[0].send(0)
      let three = zip(inputs[0].signal, inputs[1].signal, inputs[2].signal).subscribe { _ in }
      inputs[0].send(1)
      let list = zip(inputs.map(\.signal)).subscribe { _ in }
      inputs[0].send(2)
      inputs[1].send(2)
      #expect(waiting() == [3, 2])
      three.dispose()
      #expect(waiting().last == 2)
      withExtendedLifetime(list) {}
    }
  }

  @Test("an input that has finished leaves what waits")
  func finished() {
    recorder.record {
      let (orders, prices) = (Emitter<Int>(), Emitter<Int>())
      let subscription = orders.signal.zip(prices.signal).subscribe { _ in }
      for number in 1...3 { orders.send(number) }
      orders.finish()
      prices.send(1)
      #expect(waiting() == [2])
      withExtendedLifetime(subscription) {}
    }
  }
}
