import Probes
import Signals
import Testing

@Suite("Law 11: who is told of a failure finds the subscription over")
struct FailureOrderTests {
  private static let chains: [String: @Sendable (Signal<Int>) -> Signal<Int>] = [
    "nothing between": { $0 },
    "handle(onFailure:)": { $0.handle(onFailure: { _ in }) },
    "two of them": { $0.handle(onFailure: { _ in }).map { $0 }.handle(onFinish: {}) },
    "below merge": { $0.merge(with: .never()).handle(onFailure: { _ in }) },
    "below replay": { signal in signal.share(replay: 1).handle(onFailure: { _ in }) },
    "prepended": { $0.handle(onFailure: { _ in }).prepend(0).handle(onFailure: { _ in }) },
    "in flatMap": { signal in signal.flatMap { Signal.just($0).handle(onFailure: { _ in }) } },
  ]

  /// What a closure that is told of a failure sees.
  private struct Finding: Equatable {
    var error: Failure?
    var isOver: Bool
  }

  @Test("an error thrown below", arguments: chains.keys.sorted(), [false, true])
  func thrownBelow(name: String, isStored: Bool) throws {
    let apply = try #require(Self.chains[name])
    let source = isStored ? nil : Emitter<Int>()
    let property = Property(1)
    let subscription = Box<Subscription?>(nil)
    let found = Journal<Finding>()
    subscription.value = apply(source?.signal ?? property.signal.map { $0 }).map { value -> Int in
      if value == 2 { throw Failure(number: value) }
      return value
    }.subscribe(
      onFailure: { error in
        found.append(Finding(error: error as? Failure, isOver: subscription.value?.isDisposed ?? true))
      })
    source?.send(2)
    property.value = 2
    #expect(found.entries == [Finding(error: Failure(number: 2), isOver: true)])
    #expect(source?.subscriberCount ?? 0 == 0)
    #expect(property.subscriberCount == 0)
  }
}
