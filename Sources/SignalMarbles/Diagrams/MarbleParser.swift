/// Parses a diagram of values. One parser serves both dialects, and branches where they differ.
struct MarbleParser {
  private var cursor: MarbleCursor
  private let role: MarbleRole
  private var moments: [MarbleMoment] = []
  private var places: [[Range<Int>]] = []
  /// The time in the text at `^`.
  private var anchor: Int64?
  private var hasEnded = false
  /// Whether a Latin letter occurs as an unquoted key.
  private var hasLatinKey = false
  /// The unquoted keys that look like Latin letters but are not.
  private var lookAlikes: [(key: Character, place: Range<Int>)] = []

  init(text: MarbleText, role: MarbleRole, dialect: MarbleDialect, frame: Duration) throws(MarbleSyntaxError) {
    cursor = try MarbleCursor(text: text, dialect: dialect, frame: frame)
    self.role = role
  }

  mutating func parse() throws(MarbleSyntaxError) -> (MarbleDiagram, [[Range<Int>]]) {
    while let character = cursor.current {
      if cursor.byte == UInt8(ascii: "-") {
        try cursor.advanceFrames()
        cursor.index += 1
        continue
      }
      if try cursor.skipSpace() { continue }
      if try cursor.readDuration() { continue }
      switch character {
      case _ where cursor.byte.isLetterOrDigit:
        try parseSingleEvent()
      case "(":
        try parseGroup()
      case "^":
        try parseAnchor()
      case "{" where cursor.dialect == .signals:
        try parseSynchronousGroup()
      default:
        try parseSingleEvent()
      }
    }
    if hasLatinKey, let first = lookAlikes.first { throw cursor.mixedLetters(first.key, at: first.place) }
    let origin = anchor ?? 0
    for index in moments.indices { moments[index].nanoseconds -= origin }
    let diagram = MarbleDiagram(
      moments: moments, start: -origin, end: cursor.clock - origin, isAnchored: anchor != nil, frame: cursor.frame)
    return (diagram, places)
  }

  private mutating func parseSingleEvent() throws(MarbleSyntaxError) {
    let (event, place) = try parseEvent()
    add([event], places: [place])
    try cursor.advanceFrames(place: place)
  }

  private mutating func add(
    _ events: [MarbleEvent], places: [Range<Int>], order: MarbleMoment.Order = .asWritten,
    isInsideSubscribe: Bool = false
  ) {
    moments.append(
      MarbleMoment(
        nanoseconds: cursor.clock, isInsideSubscribe: isInsideSubscribe, order: order, events: events))
    self.places.append(places)
  }

  private mutating func parseAnchor() throws(MarbleSyntaxError) {
    switch role {
    case .expectation:
      throw cursor.error(
        "^ has no meaning in an expectation", advice: "Remove it: an expectation starts when the test subscribes.")
    case .cold:
      throw cursor.error(
        "^ has no meaning in a cold source", advice: "Remove it: a cold source starts when it is subscribed.")
    case .hot: break
    }
    guard anchor == nil else {
      throw cursor.error("a second ^", advice: "Keep one: it marks the moment at which the test starts.")
    }
    anchor = cursor.clock
    try cursor.advanceFrames()
    cursor.index += 1
  }

  // MARK: Groups

  private mutating func parseGroup() throws(MarbleSyntaxError) {
    if cursor.dialect == .rxjs { return try parseRxJSGroup() }
    let opening = cursor.index
    let (events, places, order) = try parseMembers(closing: ")")
    add(events, places: places, order: order)
    try cursor.advanceFrames(place: opening..<cursor.index)
  }

  /// Parses an RxJS group: all of its events arrive when the group begins, and each of its characters takes its time,
  /// as does a duration.
  private mutating func parseRxJSGroup() throws(MarbleSyntaxError) {
    let opening = cursor.index
    let start = cursor.clock
    var events: [MarbleEvent] = []
    var places: [Range<Int>] = []
    cursor.index += 1
    try cursor.advanceFrames()
    while let character = cursor.current {
      if try cursor.skipSpace() { continue }
      if try cursor.readDuration() { continue }
      let clock = cursor.clock
      switch character {
      case ")":
        cursor.index += 1
        if cursor.characters[opening..<cursor.index].allSatisfy({ "() ".contains($0) }) {
          try checkMembers(opening: opening, count: 0, separators: [])
        }
        cursor.clock = start
        if !events.isEmpty { add(events, places: places) }
      case "(":
        throw cursor.error("a group inside a group", advice: "Write the events of one instant in one group.")
      case "-": cursor.index += 1
      case "^":
        cursor.clock = start
        try parseAnchor()
      default:
        let (event, place) = try parseEvent()
        events.append(event)
        places.append(place)
      }
      cursor.clock = clock
      try cursor.advanceFrames(place: opening..<cursor.index)
      if character == ")" { return }
    }
    throw cursor.error("( is not closed", advice: "Add ).", at: opening..<(opening + 1))
  }

  private mutating func parseSynchronousGroup() throws(MarbleSyntaxError) {
    guard role != .hot else {
      throw cursor.error(
        "{ } has no meaning in a hot source", advice: "Use ( ): a hot source does not send inside subscribe.")
    }
    guard cursor.characters[..<cursor.index].allSatisfy(\.isWhitespace) else {
      throw cursor.error(
        "{ } is not at the beginning", advice: "Move it to the beginning: it holds the events inside subscribe.")
    }
    let (events, places, order) = try parseMembers(closing: "}")
    guard order == .asWritten else {
      throw cursor.error("& inside { }", advice: "Events inside subscribe have an order: write {ab}.", at: places[0])
    }
    add(events, places: places, isInsideSubscribe: true)
  }

  private mutating func parseMembers(
    closing: Character
  ) throws(MarbleSyntaxError) -> ([MarbleEvent], [Range<Int>], MarbleMoment.Order) {
    let opening = cursor.index
    var events: [MarbleEvent] = []
    var places: [Range<Int>] = []
    var separators: [Range<Int>] = []
    guard cursor.isGroupClosed(by: closing) else {
      throw cursor.error(
        "\(cursor.characters[opening]) is not closed", advice: "Add \(closing).", at: opening..<(opening + 1))
    }
    cursor.index += 1
    while let character = cursor.current {
      if try cursor.skipSpace() { continue }
      switch character {
      case closing:
        cursor.index += 1
        try checkMembers(opening: opening, count: events.count, separators: separators)
        return (events, places, separators.isEmpty ? .asWritten : .any)
      case "(":
        throw cursor.error("a group inside a group", advice: "Write the events of one instant in one group.")
      case "{" where cursor.dialect == .signals:
        throw cursor.error("a group inside a group", advice: "Write the events of one instant in one group.")
      case "-", "^":
        throw cursor.error(
          "\(character) inside a group", advice: "A group is one instant: put \(character) outside it.")
      case "&" where cursor.dialect == .signals:
        guard separators.count < events.count else {
          throw cursor.error("& without an event before it", advice: "Write (a & b).")
        }
        guard separators.count == events.count - 1 else {
          throw cursor.error("some events of the group have no & between them", advice: "Write (a & b & c).")
        }
        separators.append(cursor.index..<(cursor.index + 1))
        cursor.index += 1
      default:
        if cursor.dialect == .signals, let place = try cursor.durationPlace() {
          throw cursor.error(
            "a duration inside a group", advice: "A group is one instant: put the duration outside it.", at: place)
        }
        if !separators.isEmpty, separators.count < events.count {
          throw cursor.error("& is missing before this event", advice: "Write & between all events: (a & b & c).")
        }
        let (event, place) = try parseEvent()
        events.append(event)
        places.append(place)
      }
    }
    throw cursor.error(
      "\(cursor.characters[opening]) is not closed", advice: "Add \(closing).", at: opening..<(opening + 1))
  }

  private func checkMembers(
    opening: Int, count: Int, separators: [Range<Int>]
  ) throws(MarbleSyntaxError) {
    if count == 0 {
      throw cursor.error(
        "an empty group", advice: "Write events into it, or - for a frame.", at: opening..<cursor.index)
    }
    guard let last = separators.last else { return }
    if separators.count == count {
      throw cursor.error("& without an event after it", advice: "Write (a & b).", at: last)
    }
  }

  // MARK: Events

  private mutating func parseEvent() throws(MarbleSyntaxError) -> (MarbleEvent, Range<Int>) {
    let start = cursor.index
    let event = try parseEventText()
    let place = start..<cursor.index
    if hasEnded {
      throw cursor.error(
        "'\(String(cursor.characters[place]))' comes after the end",
        advice: "Remove it, or move the end after it: nothing follows | or #.", at: place)
    }
    hasEnded = event.isEnd
    return (event, place)
  }

  private mutating func parseEventText() throws(MarbleSyntaxError) -> MarbleEvent {
    try cursor.refuseLookAlike()
    let character = cursor.characters[cursor.index]
    if cursor.byte.isLetterOrDigit {
      if !cursor.byte.isDigit { hasLatinKey = true }
      cursor.index += 1
      return .value(.key(String(character)))
    }
    switch character {
    case "|":
      cursor.index += 1
      return .finished
    case "#":
      cursor.index += 1
      return .failed(cursor.dialect == .rxjs ? nil : try parseErrorName())
    case ")":
      throw cursor.error("\(character) without its opening", advice: "Add ( before the events of the instant.")
    case "!":
      throw cursor.error(
        "! belongs to subscription diagrams", advice: "Remove it, or write <!> for a value of that name.")
    default: break
    }
    guard cursor.dialect == .signals else { return try parseRxJSValue() }
    switch character {
    case "'": return .value(.text(try MarbleEscaping.read(&cursor, closing: "'")))
    case "<": return .value(.key(try MarbleEscaping.read(&cursor, closing: ">")))
    case "?":
      guard role == .expectation else {
        throw cursor.error("? in a source", advice: "Write which value the source sends; ? is for expectations.")
      }
      cursor.index += 1
      return .anyValue
    case "&":
      throw cursor.error("& outside a group", advice: "Write (a & b) for two events of one instant in any order.")
    case ">", "}":
      throw cursor.error("\(character) without its opening", advice: "Write '\(character)' for a value of that text.")
    default:
      noteLookAlike(character)
      cursor.index += 1
      return .value(.key(String(character)))
    }
  }

  private mutating func noteLookAlike(_ character: Character) {
    guard LookAlikes.letter(character) != nil else { return }
    lookAlikes.append((character, cursor.index..<(cursor.index + 1)))
  }

  private mutating func parseErrorName() throws(MarbleSyntaxError) -> String? {
    if cursor.current == "<" { return try MarbleEscaping.read(&cursor, closing: ">") }
    let name = cursor.characters[cursor.index...].prefix { $0.isMarbleNamePart }
    cursor.index += name.count
    return name.isEmpty ? nil : String(name)
  }

  private mutating func parseRxJSValue() throws(MarbleSyntaxError) -> MarbleEvent {
    let character = cursor.characters[cursor.index]
    if character.unicodeScalars.count > 1 {
      throw cursor.error(
        "RxJS reads '\(character)' as \(character.unicodeScalars.count) values",
        advice: "Use a value of one code point in the .rxjs dialect.")
    }
    noteLookAlike(character)
    cursor.index += 1
    return .value(.key(String(character)))
  }
}

extension Character {
  /// Whether the character may be part of an unbracketed error name.
  var isMarbleNamePart: Bool { isLetter || isNumber || self == "_" }
}
