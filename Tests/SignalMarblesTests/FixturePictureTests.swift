import Foundation
import SignalMarbles
import SignalPicture
import Testing

@Suite struct FixturePictureTests {
  private func picture(_ text: String) throws -> MarblePicture {
    let cases = try FixtureParser.parse(text, filePath: "case.marbles")
    return try #require(cases.first).picture()
  }

  private func lines(_ picture: MarblePicture) -> [MarblePicture.Line] {
    picture.rows.compactMap { if case .line(let line) = $0 { line } else { nil } }
  }

  private func boxes(_ picture: MarblePicture) -> [String] {
    picture.rows.compactMap { if case .box(let text) = $0 { text } else { nil } }
  }

  @Test func sourcesStandAboveTheOperatorAndTheResultBelow() throws {
    let picture = try picture(
      """
      fixture: debounce: quiet
      operator: debounce
      argument ms: 3
      hot e1: -a-b-----|
      expected: ------b--|
      subscribed e1: ^--------!
      """)
    #expect(picture.title == "debounce: quiet")
    let line = MarblePicture.Line("e1", try MarbleDiagram("-a-b-----|"))
    let result = MarblePicture.Line("result", try MarbleDiagram("------b--|"))
    let span = MarblePicture.Span("e1 subscribed", subscribed: 0, unsubscribed: 9_000_000)
    #expect(picture.rows == [.line(line), .subscription(span), .box("debounce(ms: 3)"), .line(result)])
  }

  @Test func aColdSourceBeginsWhereItIsSubscribed() throws {
    let picture = try picture(
      """
      fixture: debounce: by
      operator: debounce(by:)
      argument notifier: "e2"
      hot e1: -a-b---|
      cold e2: --|
      expected: -------(b|)
      subscribed e2: -^-!
      subscribed e2: ---^-!
      """)
    #expect(boxes(picture) == ["debounce(by: e2)"])
    let cold = lines(picture).filter { $0.name == "e2" }
    #expect(cold.map(\.begin) == [1_000_000, 3_000_000])
    #expect(cold.map { $0.moments.map(\.nanoseconds) } == [[3_000_000], [5_000_000]])
  }

  @Test func whatIsSentAfterLeavingIsNotDrawn() throws {
    let picture = try picture(
      """
      fixture: flatMapLatest
      operator: flatMapLatest
      cold e2: -a-b-c|
      expected: -a-b--
      subscribed e2: ^---!
      """)
    #expect(lines(picture)[0].moments.map(\.nanoseconds) == [1_000_000, 3_000_000])
    #expect(lines(picture)[0].left == 4_000_000)
    #expect(picture.end == 6_000_000)
  }

  @Test func whatTheLawSaysIsDrawnAndNamed() throws {
    let picture = try picture(
      """
      dialect: rxjs
      fixture: zip
      operator: zip
      hot e1: -a-|
      expected: ---|
      law 9: the end is told at once
      law expected: -|
      """)
    #expect(lines(picture).last?.moments.map(\.nanoseconds) == [1_000_000])
    #expect(picture.notes == ["Law 9: the end is told at once"])
  }

  @Test func shortMeaningsStandInMarblesAndLongOnesBelow() throws {
    let short = try picture(
      """
      fixture: swapped
      operator: map
      value a: "b"
      value b: "a"
      hot e1: -a-b|
      expected: -a-b|
      """)
    // Each is written once, also where a meaning is another key.
    #expect(lines(short)[0].moments.map(\.events) == [[.value("b")], [.value("a")], [.finished]])
    let long = try picture(
      """
      fixture: lists
      operator: collect(by:)
      argument notifier: "e2"
      value x: ["a","b","c"]
      error: "broken"
      hot e1: -a-#
      hot e2: --n
      expected: --x#
      """)
    #expect(
      long.keys == [MarblePicture.Key(.value("x"), #"["a","b","c"]"#), MarblePicture.Key(.failed(nil), "broken")])
  }

  @Test func windowsBeginWithTheirValue() throws {
    let picture = try picture(
      """
      fixture: window
      operator: window(_:)
      argument size: 2
      argument skip: 1
      hot e1: -a-b-#
      expected: {x}-y-#
      window x: -a-(b|)
      window y: --b-#
      """)
    #expect(boxes(picture) == ["window(size: 2, skip: 1)"])
    #expect(lines(picture).map(\.name) == ["e1", "result", "window x", "window y"])
    #expect(lines(picture).map(\.opener) == [nil, nil, "x", "y"])
    #expect(lines(picture).map(\.begin) == [0, 0, 0, 1_000_000])
  }

  @Test func aCaseOfTheParserShowsWhatIsRead() throws {
    let picture = try picture(
      """
      dialect: rxjs
      fixture: parse
      operator: parse
      cold m: --(ab)|
      frames: 2:a 2:b 6:|
      """)
    let read = try #require(lines(picture).last)
    #expect(read.name == "read as")
    #expect(read.moments.map(\.nanoseconds) == [2_000_000, 6_000_000])
    #expect(read.moments.map(\.events) == [[.value("a"), .value("b")], [.finished]])
  }

  @Test func whatIsNotThereIsSaid() throws {
    let picture = try picture(
      """
      fixture: concat
      operator: concat
      hot e1: -a-
      cold e2: -b|
      expected:
      subscribed e2: never
      """)
    #expect(picture.notes == ["e2 is never subscribed to.", "What comes is not written yet."])
  }

  @Test(arguments: ["operators", "rxjs"])
  func everyFixtureIsDrawn(folder: String) throws {
    let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("../../Fixtures")
    let cases = try FixtureParser.parse(folder: root.appendingPathComponent(folder).standardizedFileURL.path)
    for fixture in cases {
      let picture = try fixture.picture()
      #expect(picture.rows.count >= 2 + fixture.sources.count, "\(fixture.name)")
      #expect(picture.svg().hasPrefix("<svg "), "\(fixture.name)")
    }
  }
}
