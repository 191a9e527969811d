import Signals
import Testing

private func print(_ items: Any...) { Printed.append(items) }

/// Runs the samples of ComingFromSnail.md; `scripts/check-old-names` compares them.
@Suite("Coming from Snail")
struct SnailTests {
  @Test("values, a failure and the end, each with a closure of its own, or none")
  func subscribing() {
    let printed = Printed.by {
      // Sample
      struct Jam: Error {}

      let bag = DisposeBag()
      let pages = Emitter<Int>()
      pages.signal.subscribe {
        print("page", $0)
      } onFailure: {
        print("failed:", $0)
      } onFinish: {
        print("done")
      }.store(in: bag)
      pages.signal.subscribe(onFailure: { print("also failed:", $0) }).store(in: bag)
      pages.send(1)  // page 1
      pages.fail(Jam())  // failed: Jam(), also failed: Jam()
      pages.send(2)  // Nothing comes after the end.
      // End of sample
    }
    #expect(printed == ["page 1", "failed: Jam()", "also failed: Jam()"])
  }

  @Test("a closure that was given away is taken back")
  func closure() {
    let printed = Printed.by {
      // Sample
      let bag = DisposeBag()
      let greet = DisposableClosure { (name: String) in print("Hello,", name) }
      greet.store(in: bag)
      greet("Ada")  // Hello, Ada
      bag.disposeAll()
      greet("Grace")  // Nothing: what the closure captured is freed.
      // End of sample
    }
    #expect(printed == ["Hello, Ada"])
  }

  @Test("variables: of optionals, of numbers, and without repetitions")
  func variables() {
    let printed = Printed.by {
      // Sample
      let bag = DisposeBag()
      let title = Property<String?>(nil)
      title.signal.subscribe { print("title:", $0 ?? "none") }.store(in: bag)  // title: none
      title.value = "Snails"  // title: Snails

      let count = Property(removingDuplicates: 12)
      count.signal.subscribe { print("count:", $0) }.store(in: bag)  // count: 12
      count.value = 12  // Nothing has changed.
      count.value = 42  // count: 42
      // End of sample
    }
    #expect(printed == ["title: none", "title: Snails", "count: 12", "count: 42"])
  }

  @Test("a variable follows another, or both follow each other")
  func following() {
    let printed = Printed.by {
      // Sample
      let isLoading = Property(false)
      let showsSpinner = Property(false)
      showsSpinner.follow(isLoading)
      isLoading.value = true
      print(showsSpinner.value)  // true

      let field = Property("")
      let name = Property("Ada")
      field.bindTwoWay(with: name)
      field.value = "Grace"
      print(name.value)  // Grace
      // End of sample
    }
    #expect(printed == ["true", "Grace"])
  }

  @Test("several signals become one")
  func combining() {
    let printed = Printed.by {
      // Sample
      let bag = DisposeBag()
      let created = Emitter<String>()
      let renamed = Emitter<String>()
      merge(created.signal, renamed.signal).subscribe {
        print("file", $0)
      } onFinish: {
        print("no more")
      }.store(in: bag)
      created.send("a.txt")  // file a.txt
      created.finish()  // The other one may still send.
      renamed.send("b.txt")  // file b.txt
      renamed.finish()  // no more

      let hasMap = Emitter<Bool>()
      let hasList = Emitter<Bool>()
      combineLatest(hasMap.signal, hasList.signal).subscribe { print("ready:", $0 && $1) }.store(in: bag)
      hasMap.send(true)
      hasList.send(true)  // ready: true

      let names = Signal.sequence(["Ada", "Grace"])
      zip(names, .sequence([1815, 1906, 1912])).subscribe {
        print($0, $1)
      } onFinish: {
        print("end")
      }.store(in: bag)
      // Ada 1815, Grace 1906, end
      // End of sample
    }
    let expected = ["file a.txt", "file b.txt", "no more", "ready: true", "Ada 1815", "Grace 1906", "end"]
    #expect(printed == expected)
  }

  @Test("one value, a failure, and the last values again")
  func ready() {
    let printed = Printed.by {
      // Sample
      struct Offline: Error {}

      let bag = DisposeBag()
      Signal.just(1).map { $0 + 1 }.subscribe { print($0) }.store(in: bag)  // 2
      Signal<Int>.fail(Offline()).subscribe(onFailure: { print($0) }).store(in: bag)  // Offline()
      let steps = Emitter<Int>(replay: 2)
      for step in 1...5 { steps.send(step) }
      steps.signal.subscribe { print("step", $0) }.store(in: bag)  // step 4, step 5
      // End of sample
    }
    #expect(printed == ["2", "Offline()", "step 4", "step 5"])
  }

  @Test("operators, and an inner signal whose end is not the end of all")
  func operators() {
    let printed = Printed.by {
      // Sample
      let bag = DisposeBag()
      let numbers = Emitter<Int>()
      let even = numbers.signal.filter { $0.isMultiple(of: 2) }.map { "number \($0)" }
      even.subscribe { print($0) }.store(in: bag)
      numbers.signal.dropFirst(1).prefix(1).subscribe { print("second:", $0) }.store(in: bag)
      numbers.signal.flatMap { number in Signal.just(number * 100) }.subscribe { print($0) }.store(in: bag)
      numbers.send(1)  // 100
      numbers.send(2)  // number 2, second: 2, 200
      // End of sample
    }
    #expect(printed == ["100", "number 2", "second: 2", "200"])
  }

  @Test("values passed on to another emitter, with the end")
  func forwarding() {
    let printed = Printed.by {
      // Sample
      let bag = DisposeBag()
      let all = Emitter<String>()
      all.signal.subscribe {
        print($0)
      } onFinish: {
        print("closed")
      }.store(in: bag)
      let news = Emitter<String>()
      news.signal.bind(to: all, includingEnd: true)
      news.send("rain")  // rain
      news.finish()  // closed
      // End of sample
    }
    #expect(printed == ["rain", "closed"])
  }

  @Test("to wait for a value")
  func waiting() throws {
    let printed = try Printed.by {
      // Sample
      let answer = try Signal.just(42).waitForFirstValue(timeout: .seconds(10))
      print(answer)  // 42
      do {
        _ = try Signal<Int>.never().waitForFirstValue(timeout: .zero)
      } catch {
        print(error is TimeoutError)  // true
      }
      do {
        _ = try Signal<Int>.empty().waitForFirstValue()
      } catch {
        print(error)  // the signal ended without a value
      }
      // End of sample
    }
    #expect(printed == ["42", "true", "the signal ended without a value"])
  }

  @Test("on the main actor: at once when the value comes there")
  @MainActor func mainActor() async {
    await MainQueue.whenNothingWaits {
      let printed = Printed.by {
        // Sample
        @MainActor final class PageView {
          var page = 0
        }

        let pages = Emitter<Int>()
        let view = PageView()
        pages.signal.subscribe(onMainWith: view) { view, page in view.page = page }
        pages.send(7)
        print(view.page)  // 7
        // End of sample
      }
      return printed == ["7"]
    }
  }

  @Test("everything of a screen ends when it leaves the stack")
  func screens() {
    let printed = Printed.by {
      // Sample
      final class Screen: DisposeBagOwner {
        let disposeBag = DisposeBag()

        init(_ pages: Signal<Int>) {
          pages.subscribe { page in self.show(page) }.store(in: disposeBag)  // A cycle, until the bag is emptied.
        }

        func show(_ page: Int) { print("page", page) }
      }

      let pages = Emitter<Int>()
      var stack = [Screen(pages.signal)]
      pages.send(1)  // page 1
      stack.removeLast().disposeBag.disposeAll()
      pages.send(2)  // Nobody is there.
      print(pages.subscriberCount)  // 0
      // End of sample
    }
    #expect(printed == ["page 1", "0"])
  }

  @Test("at regular times")
  func scheduler() throws {
    let printed = try Printed.by {
      // Sample
      let time = VirtualTimeScheduler()
      let bag = DisposeBag()
      Signal.interval(every: .seconds(2), on: time).subscribe { print("tick", $0) }.store(in: bag)
      try time.advance(by: .seconds(4))  // tick 0, tick 1
      // End of sample
    }
    #expect(printed == ["tick 0", "tick 1"])
  }
}
