import OpenCombine
import SignalCombine
import SignalGraph
import Signals
import Synchronization
import Testing

/// Publishers in the live graph.
@Suite struct TracedPublisherTests {
  private struct Broken: Error {}

  private let recorder = GraphRecorder()

  private func picture() -> (nodes: Set<String>, edges: Set<String>) {
    let snapshot = recorder.snapshot()
    let kinds = Dictionary(uniqueKeysWithValues: snapshot.definitions.map { ($0.id, $0.kind) })
    let titles = Dictionary(
      uniqueKeysWithValues: snapshot.nodes.map { ($0.id, "\(kinds[$0.definition] ?? "") \($0.name ?? "-")") })
    return (
      Set(snapshot.nodes.map { "\(titles[$0.id] ?? "") \($0.state) \($0.valueCount)" }),
      Set(snapshot.edges.map { "\(titles[$0.source] ?? "") > \(titles[$0.target] ?? "")" })
    )
  }

  @Test func aChainShowsWithWhatIsBetween() {
    let subject = PassthroughSubject<Int, Never>()
    var got: [Int] = []
    let subscription = recorder.record {
      subject.traced("numbers").map { $0 * 2 }.traced("doubled").filter { $0 > 2 }.traced("large")
        .sink { got.append($0) }
    }
    for number in 1...3 { subject.send(number) }
    #expect(got == [4, 6])
    #expect(
      picture().nodes == ["passthroughSubject numbers live 3", "map doubled live 3", "filter large live 2"])
    #expect(picture().edges == ["passthroughSubject numbers > map doubled", "map doubled > filter large"])
    subject.send(completion: .finished)
    #expect(
      picture().nodes == [
        "passthroughSubject numbers finished 3", "map doubled finished 3", "filter large finished 2",
      ])
    subscription.cancel()
    #expect(recorder.retainedNodes.isEmpty)
  }

  @Test func aSignalOfATracedPublisherIsConnectedToIt() {
    let subject = PassthroughSubject<Int, Never>()
    let got = Mutex<[Int]>([])
    let subscription = recorder.record {
      subject.traced("numbers").map { $0 * 2 }.signal().map { $0 + 1 }
        .subscribe { value in got.withLock { $0.append(value) } }
    }
    subject.send(1)
    #expect(got.withLock { $0 } == [3])
    #expect(
      picture().edges == ["passthroughSubject numbers > Signal -", "Signal - > map -", "map - > subscribe -"])
    subscription.dispose()
    #expect(recorder.retainedNodes.isEmpty)
  }

  /// What it subscribes to as values come is not found, and is connected to nothing else either.
  @Test func whatIsSubscribedToLaterIsNotConnected() {
    let (first, second) = (PassthroughSubject<Int, Never>(), PassthroughSubject<Int, Never>())
    let subscription = recorder.record {
      let all = first.traced("first").flatMap { _ in second.traced("second") }.traced("all").sink { _ in }
      first.send(1)
      return all
    }
    #expect(picture().edges == ["passthroughSubject first > flatMap all"])
    subscription.cancel()
    #expect(
      picture().nodes == [
        "passthroughSubject first disposed 1", "passthroughSubject second disposed 0", "flatMap all disposed 0",
      ])
  }

  @Test func failuresAndCancellationsAreToldAsWhatTheyAre() {
    let subject = PassthroughSubject<Int, Broken>()
    var failure: Broken?
    let failing = recorder.record {
      subject.traced("failing").sink(
        receiveCompletion: { if case .failure(let error) = $0 { failure = error } }, receiveValue: { _ in })
    }
    let cancelled = recorder.record {
      subject.traced("cancelled").sink(receiveCompletion: { _ in }, receiveValue: { _ in })
    }
    subject.send(1)
    cancelled.cancel()
    subject.send(2)
    subject.send(completion: .failure(Broken()))
    #expect(failure != nil)
    #expect(
      picture().nodes == ["passthroughSubject failing failed 2", "passthroughSubject cancelled disposed 1"])
    #expect(recorder.snapshot().nodes.compactMap(\.failure) == ["Broken()"])
    withExtendedLifetime(failing) {}
  }

  /// Asks for one value at a time.
  private final class Slow: Subscriber {
    var got: [Int] = []
    var subscription: (any OpenCombine.Subscription)?

    func receive(subscription: any OpenCombine.Subscription) {
      self.subscription = subscription
      subscription.request(.max(1))
    }

    func receive(_ input: Int) -> Subscribers.Demand {
      got.append(input)
      return got.count < 3 ? .max(1) : .none
    }

    func receive(completion: Subscribers.Completion<Never>) {}
  }

  @Test func demandIsHandedOn() {
    let slow = Slow()
    recorder.record { (1...100).publisher.traced("numbers").subscribe(slow) }
    #expect(slow.got == [1, 2, 3])
    #expect(picture().nodes == ["sequence numbers live 3"])
    slow.subscription?.request(.max(2))
    #expect(slow.got == [1, 2, 3, 4, 5])
    slow.subscription?.cancel()
    #expect(picture().nodes == ["sequence numbers disposed 5"])
  }

  @Test func whileTheGraphIsOffNothingIsBetween() {
    let slow = Slow()
    (1...100).publisher.traced("numbers").subscribe(slow)
    #expect(slow.got == [1, 2, 3])
    #expect(recorder.snapshot().nodes.isEmpty)
    slow.subscription?.cancel()
  }
}
