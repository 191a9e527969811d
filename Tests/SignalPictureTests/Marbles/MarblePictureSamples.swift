import SignalPicture

/// Pictures whose bytes are kept in `Fixtures/marbles`.
enum MarblePictureSamples {
  typealias Picture = MarblePicture

  static func moment(_ milliseconds: Int64, _ events: Picture.Event...) -> Picture.Moment {
    Picture.Moment(nanoseconds: milliseconds * 1_000_000, events: events)
  }

  static func subscribing(_ events: Picture.Event...) -> Picture.Moment {
    Picture.Moment(nanoseconds: 0, isInsideSubscribe: true, events: events)
  }

  /// An operator with its input and its output.
  static let debounce = Picture(
    title: "debounce",
    rows: [
      .line(
        Picture.Line(
          "source",
          moments: [moment(1, .value("a")), moment(3, .value("b")), moment(9, .value("c")), moment(11, .finished)])),
      .box("source.debounce(for: .milliseconds(3), on: scheduler)"),
      .line(Picture.Line("result", moments: [moment(6, .value("b")), moment(11, .value("c"), .finished)])),
    ])

  /// Values that are signals, and a subscription.
  static let window = Picture(
    title: "window",
    rows: [
      .line(
        Picture.Line(
          "source",
          moments: [
            moment(1, .value("1")), moment(3, .value("2")), moment(5, .value("3")), moment(7, .failed("offline")),
          ])),
      .box("source.window(2)"),
      .line(
        Picture.Line(
          "result", moments: [subscribing(.value("a")), moment(3, .value("b")), moment(7, .failed("offline"))])),
      .line(
        Picture.Line("window a", moments: [moment(1, .value("1")), moment(3, .value("2"), .finished)], opener: "a")),
      .line(
        Picture.Line(
          "window b", moments: [moment(5, .value("3")), moment(7, .failed("offline"))], begin: 3_000_000, opener: "b")),
      .subscription(Picture.Span("source subscribed", subscribed: 0, unsubscribed: 7_000_000)),
    ])

  /// Both sides of a comparison.
  static let difference = Picture(
    title: "typing is debounced",
    rows: [
      .line(
        Picture.Line("typing", moments: [moment(1, .value("a")), moment(3, .value("b")), moment(11, .finished)])),
      .box("typing.signal.debounce(for: .milliseconds(3), on: m.scheduler)"),
      .line(
        Picture.Line(
          "expected",
          moments: [
            moment(5, Picture.Event(.value("b"), difference: .moved)),
            moment(8, Picture.Event(.value("x"), difference: .missing)),
            moment(11, .value("c"), Picture.Event(.finished, difference: .different)),
          ], role: .expected)),
      .line(
        Picture.Line(
          "received",
          moments: [
            moment(6, Picture.Event(.value("b"), difference: .moved)),
            moment(11, .value("c"), Picture.Event(.failed("late"), difference: .different)),
          ], role: .received)),
    ],
    keys: [Picture.Key(.value("x"), "User(name: \"Ann\")")], notes: ["b came at 6 ms, expected at 5 ms"])

  /// Texts that are not to be trusted.
  static let strange = Picture(
    title: "<script>alert(1)</script> & \"quotes\"",
    rows: [
      .line(
        Picture.Line(
          "</text><b>",
          moments: [
            moment(0, .value("<&>\"'")), moment(1, .value("\u{0}\u{1B}[31m\n")), moment(2, .value("\u{202E}abc")),
            moment(3, .value("")), moment(4, .value(String(repeating: "x", count: 10_000))),
            moment(5, .value("e" + String(repeating: "\u{301}", count: 10_000))), moment(6, .value("\u{FFFE}\u{E000}")),
            moment(7, .value("日本語")), moment(8, .failed("]]><!--")),
          ])),
      .box(String(repeating: "operator ", count: 2_000)),
      .line(
        Picture.Line(
          "any",
          moments: [Picture.Moment(nanoseconds: 2_000_000, isUnordered: true, events: [.anyValue, .value("p")])],
          left: 9_000_000)),
    ])

  /// Times that are far from each other, and from any frame.
  static let stretches = Picture(
    title: "stretches",
    rows: [
      .line(
        Picture.Line(
          "source",
          moments: [
            moment(1, .value("a")), moment(4, .value("b")), moment(300, .value("c")), moment(86_400_000, .finished),
          ])),
      .box("source.delay(for: .seconds(60), on: scheduler)"),
      .line(Picture.Line("result", moments: [moment(60_001, .value("a"))])),
    ], end: 90_000_000_000_000)

  /// A diagram that goes on below.
  static func long(_ count: Int, different: Int? = nil) -> Picture {
    func line(_ name: String, _ role: Picture.Line.Role) -> Picture.Line {
      Picture.Line(
        name,
        moments: (0..<count).map { index in
          moment(
            Int64(3 * index + 1), Picture.Event(.value("\(index)"), difference: index == different ? .different : nil))
        }, role: role)
    }
    return Picture(
      title: "\(count) events",
      rows: [.line(line("expected", .expected)), .box("source.map { $0 }"), .line(line("received", .received))])
  }
}
