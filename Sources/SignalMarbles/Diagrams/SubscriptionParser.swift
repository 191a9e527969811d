/// Parses a subscription diagram.
struct SubscriptionParser {
  var cursor: MarbleCursor
  private var subscribed: Int64?
  private var unsubscribed: Int64?

  init(cursor: MarbleCursor) { self.cursor = cursor }

  mutating func parse(requiresSubscribing: Bool) throws(MarbleSyntaxError) -> SubscriptionDiagram {
    while let character = cursor.current {
      if try cursor.skipSpace() { continue }
      if try cursor.readDuration() { continue }
      switch character {
      case "-":
        cursor.index += 1
        try cursor.advanceFrames()
      case "(":
        try parseGroup()
      default:
        try parseMark()
        try cursor.advanceFrames()
      }
    }
    if subscribed == nil, requiresSubscribing || unsubscribed == nil {
      throw cursor.error(
        "the diagram has no ^", advice: "Write ^ where the subscription starts.", at: 0..<cursor.characters.count)
    }
    return SubscriptionDiagram(
      subscribed: subscribed, unsubscribed: unsubscribed, end: cursor.clock, frame: cursor.frame)
  }

  private mutating func parseGroup() throws(MarbleSyntaxError) {
    let opening = cursor.index
    guard cursor.isGroupClosed(by: ")") else {
      throw cursor.error("( is not closed", advice: "Add ).", at: opening..<(opening + 1))
    }
    var marks = 0
    cursor.index += 1
    while let character = cursor.current {
      if try cursor.skipSpace() { continue }
      if character == ")" {
        cursor.index += 1
        if marks == 0 {
          throw cursor.error("an empty group", advice: "Write (^!), or - for a frame.", at: opening..<cursor.index)
        }
        let written = cursor.characters[opening..<cursor.index].count { $0 != " " }
        try cursor.advanceFrames(cursor.dialect == .rxjs ? written : 1, place: opening..<cursor.index)
        return
      }
      if character == "(" {
        throw cursor.error("a group inside a group", advice: "Write the marks of one instant in one group: (^!).")
      }
      if character == "-" {
        throw cursor.error("- inside a group", advice: "A group is one instant: put - outside it.")
      }
      try parseMark()
      marks += 1
    }
    throw cursor.error("( is not closed", advice: "Add ).", at: opening..<(opening + 1))
  }

  private mutating func parseMark() throws(MarbleSyntaxError) {
    try cursor.refuseLookAlike()
    switch cursor.characters[cursor.index] {
    case "^":
      guard subscribed == nil else {
        throw cursor.error("a second ^", advice: "Write one diagram for each subscription.")
      }
      guard unsubscribed == nil else {
        throw cursor.error("^ comes after !", advice: "Write ^ before !: a subscription starts before it ends.")
      }
      subscribed = cursor.clock
    case "!":
      guard unsubscribed == nil else {
        throw cursor.error("a second !", advice: "Write one diagram for each subscription.")
      }
      unsubscribed = cursor.clock
    case ")":
      throw cursor.error(") without its opening", advice: "Write (^!) for both in one instant.")
    case let character:
      throw cursor.error(
        "'\(character)' has no meaning in a subscription diagram",
        advice: "Use ^ for subscribe, ! for unsubscribe, - and durations for time.")
    }
    cursor.index += 1
  }
}
