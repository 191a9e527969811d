import SignalSystem
import SignalTesting
import Signals
import Testing

/// Puts pieces of text together to lines.
@Suite("lines")
struct LinesTests {
  private struct Broken: Error {}

  private func lines(_ pieces: [String]) -> [String] {
    let received = Received<String>()
    Signal.sequence(pieces.map { Array($0.utf8) }).lines().receive(into: received).retained()
    #expect(received.isFinished)
    return received.values
  }

  @Test("lines across pieces, with either end; the last one needs none")
  func pieces() {
    #expect(lines(["one\ntw", "o\r", "\n\nthree"]) == ["one", "two", "", "three"])
    #expect(lines(["one\n", "two\n"]) == ["one", "two"])
    #expect(lines([]) == [])
    #expect(lines(["", "a\rb", ""]) == ["a\rb"])
    // Without a line feed, a carriage return is no part of an end.
    #expect(lines(["a\r\nb\r"]) == ["a", "b\r"])
  }

  @Test("a character that is split between pieces, and one that is not valid")
  func characters() {
    let bytes = Array("grün\n".utf8)
    let received = Received<String>()
    Signal.sequence(bytes.map { [$0] } + [[0xff, 10]]).lines().receive(into: received).retained()
    #expect(received.values == ["grün", "\u{fffd}"])
  }

  @Test("keeps the laws")
  func laws() {
    expectLaws(
      of: OperatorContract("lines", delivers: { $0.map(String.init) }) { up, _ in
        up.map { Array("\($0)\n".utf8) }.lines()
      })
  }

  @Test("a failure drops the line that has no end")
  func failure() {
    let pieces = Emitter<[UInt8]>()
    let received = Received<String>()
    let subscription = pieces.signal.lines().receive(into: received)
    pieces.send(Array("one\ntwo".utf8))
    pieces.fail(Broken())
    #expect(received.values == ["one"])
    #expect(received.failure is Broken)
    subscription.dispose()
  }

  @Test("Law 7: nothing more comes when the subscriber leaves in the middle of a piece")
  func disposal() {
    let received = Received<String>()
    Signal.sequence([Array("a\nb\nc\n".utf8)]).lines().prefix(2).receive(into: received).retained()
    #expect(received.values == ["a", "b"])
    #expect(received.isFinished)
  }
}
