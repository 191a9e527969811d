import Probes
import SignalTesting
import Signals
import Testing

/// Writes a line for everything that passes.
@Suite("print")
struct PrintTests {
  /// Keeps what is written, call by call.
  private final class Page: TextOutputStream, Sendable {
    private let written = Journal<String>()
    var texts: [String] { written.entries }
    func write(_ text: String) { written.append(text) }
  }

  @Test("a line for the beginning, each value and the end; everything passes unchanged")
  func values() {
    let page = Page()
    marbles { m in
      let letters = m.hot("                                  -a-b-|")
      m.expect(letters.signal.print("letters", to: page), "  -a-b-|")
      m.expectSubscriptions(of: letters, "                   ^----!")
    }
    #expect(
      page.texts == [
        "letters: subscribed\n", "letters: value a\n", "letters: value b\n", "letters: finished\n",
      ])
  }

  @Test("a failure is written with the error; without a prefix there is no colon")
  func failure() {
    let page = Page()
    marbles { m in
      let letters = m.hot("                      -a-#", error: Failure(number: 1))
      m.expect(letters.signal.print(to: page), " -a-#", error: Failure(number: 1))
    }
    #expect(page.texts == ["subscribed\n", "value a\n", "failed Failure(number: 1)\n"])
  }

  @Test("disposal by the subscriber, by an operator below, and by an error below")
  func disposal() {
    let page = Page()
    marbles { m in
      let letters = m.hot("                                 -a-b-|")
      m.expect(letters.signal.print("x", to: page), "       -a----", subscription: "^-!")
      m.expectSubscriptions(of: letters, "                  ^-!")
    }
    #expect(page.texts == ["x: subscribed\n", "x: value a\n", "x: disposed\n"])
    Signal.sequence(1...).print("y", to: page).prefix(1).subscribe { _ in }.dispose()
    #expect(page.texts.dropFirst(3) == ["y: subscribed\n", "y: value 1\n", "y: disposed\n"])
    Signal.just(1).print("z", to: page).handle { _ in throw Failure() }.subscribe(onFailure: { _ in }).dispose()
    #expect(page.texts.dropFirst(6) == ["z: subscribed\n", "z: value 1\n", "z: disposed\n"])
  }

  @Test("a line is written before the value is handed on")
  func order() {
    let page = Page()
    Signal.just(1).print(to: page).handle { _ in page.write("handled") }.subscribe { _ in }.dispose()
    #expect(page.texts == ["subscribed\n", "value 1\n", "handled", "finished\n"])
  }

  @Test("without a stream, standard output")
  func standardOutput() async {
    let result = await #expect(processExitsWith: .success, observing: [\.standardOutputContent]) {
      Signal.just(1).print("one").subscribe { _ in }.dispose()
    }
    let text = result.map { String(decoding: $0.standardOutputContent, as: UTF8.self) } ?? ""
    #expect(text.contains("one: subscribed\none: value 1\none: finished\n"), "\(text)")
  }
}
