import Dispatch
import Foundation
import Probes
import Signals
import Testing

/// An object of the main actor's that is not `Sendable`.
private final class Note {
  var text = ""
}

@MainActor private final class Model {
  var numbers: [Int] = []
  var ends: [String] = []
  let note = Note()
  let bag = DisposeBag()

  func watch(_ signal: Signal<Int>) {
    signal
      .subscribeOnMain { [weak self] in
        self?.numbers.append($0)
      } onFailure: { [weak self] error in
        self?.ends.append("\(error)")
      } onFinish: { [weak self] in
        self?.ends.append("finished")
      }
      .store(in: bag)
  }
}

@MainActor private final class Seen {
  var numbers: [Int] = []
  var isOver = false
  var late = 0
  var subscription: Subscription?
}

/// Subscriptions whose closures belong to the main actor.
@Suite("subscribeOnMain", .timeLimit(.minutes(20)))
@MainActor
struct MainActorSubscriptionTests {
  /// Runs work on a thread of its own, and returns when it has ended.
  private func onAnotherThread(_ work: @escaping @Sendable () -> Void) {
    let done = DispatchSemaphore(value: 0)
    Thread.detachNewThread {
      work()
      done.signal()
    }
    done.wait()
  }

  @Test("Law 5: a value that is sent on the main actor is delivered before send returns")
  func atOnce() async {
    await MainQueue.whenNothingWaits {
      let (model, numbers) = (Model(), Emitter<Int>())
      model.watch(numbers.signal)
      numbers.send(1)
      numbers.finish()
      return model.numbers == [1] && model.ends == ["finished"]
    }
  }

  @Test("Law 14: values of other threads are delivered on the main actor, in order, the end behind them")
  func fromElsewhere() async {
    let (model, numbers) = (Model(), Emitter<Int>())
    model.watch(numbers.signal)
    onAnotherThread {
      for number in 1...100 { numbers.send(number) }
      numbers.fail(Failure(number: 1))
    }
    #expect(model.numbers == [])
    await MainQueue.turn()
    #expect(model.numbers == Array(1...100))
    #expect(model.ends == ["Failure(number: 1)"])
  }

  @Test("Law 7: after dispose() on the main actor, what was on its way is not delivered")
  func disposal() async {
    let (model, numbers) = (Model(), Emitter<Int>())
    model.watch(numbers.signal)
    onAnotherThread { numbers.send(1) }
    model.bag.disposeAll()
    await MainQueue.turn()
    #expect(model.numbers == [])
  }

  @Test("Law 7: dispose() on the main actor against a thread that sends: nothing comes after it has returned")
  func disposalRace() async {
    for _ in 0..<300 {
      let (seen, numbers) = (Seen(), Emitter<Int>())
      let subscription = numbers.signal.subscribeOnMain { number in
        if seen.isOver { seen.late += 1 }
        seen.numbers.append(number)
      }
      let sender = Task.detached { for number in 0..<50 { numbers.send(number) } }
      await MainQueue.turn()
      subscription.dispose()
      seen.isOver = true
      await sender.value
      await MainQueue.turn()
      #expect(seen.late == 0)
      #expect(seen.numbers == Array(0..<seen.numbers.count))
    }
  }

  @Test("Law 7: a handler that disposes its own subscription gets nothing more of the same burst")
  func disposalInHandler() async {
    let (seen, numbers) = (Seen(), Emitter<Int>())
    seen.subscription = numbers.signal.subscribeOnMain { number in
      seen.numbers.append(number)
      if number == 2 { seen.subscription?.dispose() }
    }
    onAnotherThread { for number in 1...4 { numbers.send(number) } }
    await MainQueue.turn()
    #expect(seen.numbers == [1, 2])
  }

  @Test("an owner that is not Sendable: it is held weakly, and the subscription ends with it")
  func owner() async {
    let texts = Emitter<String>()
    var note: Note? = Note()
    if let note { texts.signal.subscribe(onMainWith: note) { note, text in note.text = text } }
    await MainQueue.whenNothingWaits {
      texts.send("a")
      return note?.text == "a"
    }
    onAnotherThread { texts.send("b") }
    await MainQueue.turn()
    #expect(note?.text == "b")
    weak let gone = note
    note = nil
    #expect(gone == nil)
    #expect(texts.subscriberCount == 0)
  }

  @Test("a sweep on another thread leaves the owner to the main queue")
  func sweep() async {
    let texts = Emitter<String>()
    var note: Note? = Note()
    if let note { texts.signal.subscribe(onMainWith: note) { note, text in note.text = text } }
    note = nil
    onAnotherThread { #expect(texts.subscriberCount == 1) }
    await MainQueue.turn()
    onAnotherThread { #expect(texts.subscriberCount == 0) }
  }

  @Test("an owner of the main actor, with its bag or one that it passes: everything is freed with it")
  func bag() async {
    @MainActor final class Owner: DisposeBagOwner {
      let disposeBag = DisposeBag()
      var seen: [Int] = []

      init(_ numbers: Signal<Int>) {
        numbers.subscribe(onMainWith: self) { $0.seen.append($1) }
        numbers.subscribe(onMainWith: self, in: disposeBag) { owner, number in owner.seen.append(number) }
      }
    }
    let numbers = Emitter<Int>()
    var owner: Owner? = Owner(numbers.signal)
    numbers.send(1)
    await MainQueue.turn()
    #expect(owner?.seen == [1, 1])
    #expect(owner?.disposeBag.count == 2)
    owner = nil
    onAnotherThread { #expect(numbers.subscriberCount == 0) }
  }

  @Test("a failure that nobody handles goes to the handler, while the owner lives")
  func unhandled() async {
    let failures = Journal<Int>()
    let numbers = Emitter<Int>()
    let note = Note()
    UnhandledFailure.withHandler {
      failures.append(($0.error as? Failure)?.number ?? 0)
    } operation: {
      numbers.signal.subscribe(onMainWith: note) { _, _ in }
      numbers.signal.subscribeOnMain { _ in }.retained()
    }
    numbers.fail(Failure(number: 4))
    await MainQueue.turn()
    #expect(failures.entries == [4, 4])
    withExtendedLifetime(note) {}
  }
}
