import SignalPicture
import SignalTesting
import Testing

@Suite struct MarblePictureTextTests {
  private func millisecond(_ number: Int64, _ events: MarblePicture.Event...) -> MarblePicture.Moment {
    MarblePicture.Moment(nanoseconds: number * 1_000_000, events: events)
  }

  @Test func linesAndBoxesAreRead() throws {
    let picture = try MarblePicture(
      reading: """
        source   -a-b-c-|
                 source.window(2)
        result   {x}----y-
        window x  -a-(b|)
        window y  -c-|
        source subscribed  ^------!
        """)
    #expect(picture.title == "source.window(2)")
    #expect(picture.end == 6_000_000)
    let inner = picture.rows.compactMap { row -> MarblePicture.Line? in
      if case .line(let line) = row, line.opener != nil { return line }
      return nil
    }
    #expect(inner.map(\.opener) == ["x", "y"])
    #expect(inner.map(\.begin) == [0, 4_000_000])
    #expect(inner[1].moments == [millisecond(5, .value("c")), millisecond(7, .finished)])
    #expect(
      picture.rows.last
        == .subscription(MarblePicture.Span("source subscribed", subscribed: 0, unsubscribed: 7_000_000)))
  }

  @Test func whoComesLaterHasALineThatBeginsLater() throws {
    let picture = try MarblePicture(
      reading: """
        source             -a-b-c-|
                           source.share()
        second subscribes  --^--!
        second             ---b
        """)
    #expect(
      picture.rows.last
        == .line(
          MarblePicture.Line("second", moments: [millisecond(3, .value("b"))], begin: 2_000_000, left: 5_000_000)))
  }

  @Test func shortMeaningsAreWrittenIntoMarbles() throws {
    let short = try MarblePicture(reading: "result  -a-|\na = [1, 2]")
    #expect(
      short.rows == [
        .line(MarblePicture.Line("result", moments: [millisecond(1, .value("[1, 2]")), millisecond(3, .finished)]))
      ])
    #expect(short.keys == [])
    let long = try MarblePicture(reading: "result  -a-#\na = (offset: 0, element: 7), # = offline")
    #expect(
      long.keys == [
        MarblePicture.Key(.value("a"), "(offset: 0, element: 7)"), MarblePicture.Key(.failed(nil), "offline"),
      ])
  }

  @Test(arguments: ["source", "source  -a-(", "source subscribed  ^--^", "x"])
  func whatCannotBeReadIsSaid(text: String) {
    #expect(throws: MarbleSyntaxError.self) { try MarblePicture(reading: text) }
  }

  @Test func aDiagramIsAPicture() throws {
    let svg = try MarbleDiagram("-a-(bc)--").svg(name: "letters", title: "Some letters")
    #expect(svg.hasPrefix("<svg"))
    #expect(svg.contains("<title>Some letters</title>\n<desc>letters: a at 1 ms, b at 3 ms, c at 3 ms.</desc>"))
  }

  @Test func whatWasReceivedIsALine() {
    let events: [TimedEvent<Int>] = [
      TimedEvent(nanoseconds: 0, isInsideSubscribe: true, event: .value(1)),
      TimedEvent(nanoseconds: 1_000_000, event: .value(2)), TimedEvent(nanoseconds: 1_000_000, event: .value(3)),
      TimedEvent(nanoseconds: 2_000_000, event: .failed(MarbleFailure())),
    ]
    let line = MarblePicture.Line("result", received: events) { "<\($0)>" }
    #expect(
      line.moments == [
        MarblePicture.Moment(nanoseconds: 0, isInsideSubscribe: true, events: [.value("<1>")]),
        millisecond(1, .value("<2>"), .value("<3>")), millisecond(2, .failed("MarbleFailure()")),
      ])
  }
}
