import Probes
import Signals
import Testing

/// A variable that can be watched.
@Suite("Observed")
struct ObservedTests {
  @MainActor
  private final class Model {
    @Observed var text = ""
    @Observed(removingDuplicates: true) var count = 0
    @Observed var names: [String]

    init(names: [String]) {
      self.names = names
    }

    var watchedText: ReadOnlyProperty<String> { _text.readOnly }
  }

  private actor Counter {
    @Observed var count = 0

    func increment() { count += 1 }
  }

  /// Neither on an actor nor `Sendable`.
  private final class Plain {
    @Observed var text = "a"
  }

  @Test("in a class of the main actor: the signal gives the value and each change, inside the assignment")
  @MainActor
  func mainActor() {
    let model = Model(names: ["Ada"])
    let (texts, counts, names) = (EventLog<String>(), EventLog<Int>(), EventLog<[String]>())
    let subscriptions = [model.$text.log(to: texts), model.$count.log(to: counts), model.$names.log(to: names)]
    model.text = "a"
    model.text += "b"
    #expect(texts.values == ["", "a", "ab"])
    #expect(model.text == "ab" && model.watchedText.value == "ab")
    model.count = 0
    model.count += 1
    #expect(counts.values == [0, 1])
    model.names.append("Grace")
    #expect(names.values == [["Ada"], ["Ada", "Grace"]])
    withExtendedLifetime(subscriptions) {}
  }

  @Test("in an actor: the signal may be taken out, and listened to anywhere")
  func actor() async {
    let counter = Counter()
    let log = EventLog<Int>()
    let subscription = await counter.$count.log(to: log)
    await withTaskGroup { group in
      for _ in 0..<100 { group.addTask { await counter.increment() } }
    }
    #expect(log.values == Array(0...100))
    #expect(await counter.count == 100)
    withExtendedLifetime(subscription) {}
  }

  @Test("the signal finishes when the object goes; its place is where the variable is written")
  func end() {
    var plain: Plain? = Plain()
    let log = EventLog<String>()
    let subscription = plain?.$text.log(to: log)
    plain?.text = "b"
    plain = nil
    #expect(log.events == [.value("a"), .value("b"), .finished])
    withExtendedLifetime(subscription) {}
  }

  @Test("a handler may assign: the value comes after the one that is being handled (law 2)")
  @MainActor
  func inside() {
    let model = Model(names: [])
    let log = EventLog<String>()
    let first = model.$text.subscribe { text in
      MainActor.assumeIsolated { if text == "a" { model.text = "b" } }
    }
    let second = model.$text.log(to: log)
    model.text = "a"
    #expect(log.values == ["", "a", "b"])
    withExtendedLifetime((first, second)) {}
  }
}
