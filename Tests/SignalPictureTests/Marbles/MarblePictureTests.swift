import Foundation
import SampleGraphs
import SignalPicture
import Testing

#if canImport(FoundationXML)
  import FoundationXML
#endif

@Suite struct MarblePictureTests {
  private typealias Samples = MarblePictureSamples
  private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().path

  @Test(
    arguments: [
      ("debounce", Samples.debounce), ("window", Samples.window), ("difference", Samples.difference),
      ("strange", Samples.strange), ("stretches", Samples.stretches), ("long", Samples.long(200)),
      ("long-different", Samples.long(1_000, different: 700)),
    ])
  func golden(name: String, picture: MarblePicture) throws {
    let svg = picture.svg(options: MarbleDrawingOptions(showsTitle: true))
    try GoldenFile.check(svg, name: "marbles/\(name).svg", at: Self.folder)
    #expect(picture.svg(options: MarbleDrawingOptions(showsTitle: true)) == svg)
    #expect(throws: Never.self) { try XMLText(svg) }
  }

  @Test func equalLabelsHaveOneColour() throws {
    let xml = try XMLText(Samples.debounce.svg())
    let colours = xml.marbles.reduce(into: [String: Set<String>]()) { $0[$1.label, default: []].insert($1.colour) }
    #expect(colours.keys.sorted() == ["a", "b", "c"])
    #expect(colours.values.allSatisfy { $0.count == 1 })
    #expect(Set(colours.values).count == 3)
  }

  @Test func equalTimesAreBelowEachOther() throws {
    let xml = try XMLText(Samples.window.svg())
    let places = xml.marbles.filter { $0.label == "3" || $0.label == "b" }
    #expect(places.count == 3)
    #expect(places[0].x == places[2].x)
    let ends = try XMLText(Samples.debounce.svg()).marbles.filter { $0.label == "b" || $0.label == "c" }
    #expect(ends.map(\.x).sorted() == [ends[0].x, ends[2].x, ends[1].x, ends[3].x].sorted())
  }

  @Test func noLetterIsSmallerThanElevenPoints() throws {
    for picture in [Samples.debounce, Samples.difference, Samples.strange, Samples.long(200)] {
      let svg = picture.svg()
      let sizes = svg.matches(of: /font(?:-size)?:(\d+)px/).compactMap { Int($0.1) }
      #expect(sizes.count >= 3)
      #expect(sizes.allSatisfy { $0 >= 11 })
      let size = try #require(svg.firstMatch(of: /viewBox="0 0 (\d+) (\d+)" width="(\d+)" height="(\d+)"/))
      // One unit is one point: letters are as large as they say.
      #expect(size.1 == size.3 && size.2 == size.4)
      #expect(try #require(Int(size.1)) <= 720)
    }
  }

  @Test func marblesOfALineDoNotTouch() throws {
    for picture in [Samples.strange, Samples.window, Samples.long(200), Samples.stretches] {
      let marbles = try XMLText(picture.svg()).marbles
      for (y, line) in Dictionary(grouping: marbles, by: \.y) {
        let sorted = line.sorted { $0.x < $1.x }
        for (one, other) in zip(sorted, sorted.dropFirst()) {
          #expect(one.x + one.width < other.x, "\(picture.title), \(y): \(one.label) and \(other.label)")
        }
      }
    }
  }

  @Test func longDiagramsAreCutAndCounted() throws {
    let xml = try XMLText(Samples.long(10_000).svg())
    let drawn = xml.marbles.count
    #expect((50...400).contains(drawn))
    #expect(
      xml.texts.contains(
        "… and \((20_000 - drawn).formatted(.number.locale(Locale(identifier: "en_US")))) events more, not drawn"))
  }

  @Test func aDifferenceIsAmongWhatIsDrawn() throws {
    let xml = try XMLText(Samples.long(10_000, different: 7_000).svg())
    #expect(xml.marbles.contains { $0.label == "7000" })
    #expect(!xml.marbles.contains { $0.label == "0" })
    let rings = try XMLText(Samples.difference.svg()).rings
    #expect(rings == ["ring", "ring missing", "ring", "ring", "ring"])
  }

  @Test func aBurstIsCounted() throws {
    let burst = MarblePicture.Moment(
      nanoseconds: 0, events: (0..<10_000).map { MarblePicture.Event.value("\($0)") } + [.finished])
    let picture = MarblePicture(rows: [.line(MarblePicture.Line("source", moments: [burst]))])
    let xml = try XMLText(picture.svg())
    #expect(xml.marbles.map(\.label) == ["0", "1", "2", "3", "+9,996"])
  }

  @Test func rowsBeyondReasonAreCounted() throws {
    let rows = (0..<100).map { MarblePicture.Row.line(MarblePicture.Line("line \($0)", moments: [])) }
    let xml = try XMLText(MarblePicture(rows: rows).svg())
    #expect(xml.texts.contains("… and 76 more lines, not drawn"))
  }

  @Test func screenReadersHearWhatHappens() throws {
    let xml = try XMLText(Samples.debounce.svg())
    #expect(xml.title == "debounce")
    #expect(
      xml.words
        == "source: a at 1 ms, b at 3 ms, c at 9 ms, finishes at 11 ms. "
        + "Operator: source.debounce(for: .milliseconds(3), on: scheduler). result: b at 6 ms, c at 11 ms, finishes at 11 ms."
    )
    #expect(Samples.debounce.svg().contains("role=\"img\""))
    #expect(try XMLText(Samples.long(10_000).svg()).words.count < 4_000)
  }

  @Test func textsCannotLeaveTheirPlace() throws {
    let svg = Samples.strange.svg(options: MarbleDrawingOptions(showsTitle: true))
    let xml = try XMLText(svg)
    #expect(xml.elements == ["svg", "title", "desc", "style", "rect", "path", "text", "g"])
    #expect(xml.texts.contains("<&>\"'"))
    #expect(xml.texts.contains("\\u{0}\\u{1B}[…"))
    #expect(svg.utf8.count < 40_000)
  }

  @Test(arguments: [Int64.min, -1, 0, 1, .max - 1, .max])
  func anyTimesCanBeDrawn(nanoseconds: Int64) throws {
    var picture = Samples.window
    picture.frame = nanoseconds
    picture.end = nanoseconds
    for other in [Int64.min, 0, .max] {
      let moments = [other, nanoseconds].map {
        MarblePicture.Moment(nanoseconds: $0, events: [.value("a"), .finished])
      }
      picture.rows.append(
        .line(MarblePicture.Line("a", moments: moments, begin: nanoseconds, left: other, opener: "a")))
      picture.rows.append(.subscription(MarblePicture.Span("s", subscribed: nanoseconds, unsubscribed: other)))
    }
    _ = try XMLText(picture.svg(options: MarbleDrawingOptions(maximumWidth: Int(nanoseconds / 2), maximumBands: -3)))
    _ = try XMLText(MarblePicture().svg())
  }

  @Test(
    arguments: [
      ("", "''"), ("  ", "'  '"), ("Ann ", "'Ann '"), ("Ann", "Ann"), ("a\u{200B}b", "a\\u{200B}b"),
      ("a\u{A0}", "a\\u{A0}"),
      ("\u{202E}abc", "\\u{202E}abc"), ("👩‍👩‍👧", "👩‍👩‍👧"), ("two\nlines", "two\\nlines"), ("twelve chars", "twelve chars"),
      ("thirteen char", "thirteen cha…"),
    ])
  func whatCannotBeSeenIsWrittenOut(label: String, shown: String) throws {
    let picture = MarblePicture(rows: [.line(MarblePicture.Line("", moments: [Samples.moment(1, .value(label))]))])
    #expect(try XMLText(picture.svg()).marbles.map(\.label) == [shown])
  }

  @Test(
    arguments: [
      (0, "0"), (1, "1 ns"), (1_500, "1.5 µs"), (300_000_000, "300 ms"), (1_200_000_000, "1.2 s"),
      (1_200_300_400, "1200300.4 µs"),
      (90_000_000_000, "90 s"), (120_000_000_000, "2 min"), (86_400_000_000_000, "24 h"), (-2_000_000, "−2 ms"),
    ] as [(Int64, String)])
  func timesAreTold(nanoseconds: Int64, words: String) {
    #expect(MarbleTime.words(nanoseconds) == words)
  }
}

/// What a picture's SVG says, read as XML.
private final class XMLText: NSObject, XMLParserDelegate {
  struct Marble {
    var x = 0
    var y = 0
    var width = 0
    var colour = ""
    var label = ""
  }

  private(set) var elements: Set<String> = []
  private(set) var texts: [String] = []
  private(set) var marbles: [Marble] = []
  private(set) var rings: [String] = []
  private(set) var title = ""
  private(set) var words = ""
  private var text = ""

  init(_ svg: String) throws {
    super.init()
    let parser = XMLParser(data: Data(svg.utf8))
    parser.delegate = self
    guard parser.parse() else { throw parser.parserError ?? CocoaError(.fileReadCorruptFile) }
  }

  func parser(
    _ parser: XMLParser, didStartElement element: String, namespaceURI: String?, qualifiedName: String?,
    attributes: [String: String]
  ) {
    elements.insert(element)
    text = ""
    guard element == "rect", let style = attributes["class"] else { return }
    if style.hasPrefix("ring") { rings.append(style) }
    guard style.hasPrefix("marble ") else { return }
    func number(_ name: String) -> Int { attributes[name].flatMap { Int($0) } ?? 0 }
    marbles.append(
      Marble(x: number("x"), y: number("y"), width: number("width"), colour: String(style.dropFirst("marble ".count))))
  }

  func parser(_ parser: XMLParser, foundCharacters string: String) { text += string }

  func parser(
    _ parser: XMLParser, didEndElement element: String, namespaceURI: String?, qualifiedName: String?
  ) {
    switch element {
    case "title": if title.isEmpty { title = text }
    case "desc": words = text
    case "text":
      texts.append(text)
      if let last = marbles.indices.last, marbles[last].label.isEmpty { marbles[last].label = text }
    default: break
    }
  }
}
