import Dispatch
import Signals
import Testing

/// Not `Sendable`.
private final class Label {
  var text = ""
  var number = 0
}

@MainActor
private final class Screen {
  var text = ""
  var number = 0
  let label = Label()
  let bag = DisposeBag()

  func show(_ text: String) { self.text = text }

  /// What a class of the main actor writes.
  func watch(_ texts: Signal<String>, _ numbers: Signal<Int>) {
    texts.subscribeOnMain { [weak self] in self?.text = $0 }.store(in: bag)
    texts.subscribeOnMain { [weak self] text in self?.show(text) }.store(in: bag)
    texts.subscribeOnMain { @MainActor [weak self] in self?.text = $0 }.store(in: bag)
    texts.subscribeOnMain { [label] in label.text = $0 }.store(in: bag)
    texts.subscribe(onMainWith: self) { $0.text = $1 }
    texts.subscribe(onMainWith: self) { screen, text in screen.show(text) }
    texts.subscribe(onMainWith: self, in: bag) { screen, text in screen.show(text) }
    texts.subscribe(onMainWith: label) { $0.text = $1 }
    numbers.map { $0 + 1 }.filter { $0 > 1 }.removeDuplicates()
      .subscribeOnMain { [label] in label.number += $0 }
      .store(in: bag)
    bag += numbers.subscribeOnMain {
      self.number = $0
    } onFailure: { _ in
      self.number = -1
    } onFinish: {
      self.number = -2
    }
    numbers.combineLatest(texts).subscribe(onMainWith: self) { $0.text = "\($1.0) \($1.1)" }
  }
}

private actor Store {
  var sum = 0
  let bag = DisposeBag()

  func watch(_ numbers: Signal<Int>) {
    numbers.subscribe(onActor: self) { $0.sum += $1 }
    numbers.subscribe(onActor: self) { store, number in store.add(number) }.store(in: bag)
  }

  func add(_ number: Int) { sum += number }
}

@Suite("spellings: isolation and tasks")
struct IsolationSpellings {
  @Test("closures of the main actor")
  @MainActor func mainActor() async throws {
    let (screen, numbers, texts) = (Screen(), Property(1), Property("a"))
    screen.watch(texts.signal, numbers.signal)
    // Everything of the main queue before this has run.
    await withCheckedContinuation { continuation in DispatchQueue.main.async { continuation.resume() } }
    #expect(screen.text == "1 a")
    #expect(screen.label.number == 2)
    #expect(screen.number == 1)
  }

  @Test("tasks")
  func tasks() async throws {
    let numbers = Signal.sequence([1, 2, 3])
    await Store().watch(numbers)
    #expect(try await numbers.firstValue() == 1)
    #expect(try await numbers.map { $0 * 2 }.firstValue(timeout: .seconds(60), on: .qos(.default)) == 2)
    var seen: [Int] = []
    for try await number in numbers.values() { seen.append(number) }
    for try await number in numbers.mapAsync({ await Self.double($0) }).values(buffering: .keepAll) {
      seen.append(number)
    }
    for try await text in numbers.mapAsync(maxConcurrent: 2, { "\(await Self.double($0))" }).map(\.count).values() {
      seen.append(text)
    }
    #expect(seen == [1, 2, 3, 2, 4, 6, 1, 1, 1])
    #expect(try await Signal.async { await Self.double(4) }.firstValue() == 8)
    #expect(try await Signal.asyncSequence(numbers.values()).map { $0 + 1 }.firstValue() == 2)
    #expect(try await Signal.result(Result { 5 }).firstValue() == 5)
  }

  private static func double(_ number: Int) async -> Int { number * 2 }
}
