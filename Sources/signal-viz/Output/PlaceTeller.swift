/// Gives the location of each item of a report once: a repeated item has its name only, unless the report has another
/// one of that name.
///
/// Items have the form of explanations: "`map` at Feed.swift:12".
struct PlaceTeller {
  /// The locations of each name in the whole report.
  private var places: [String: Set<String>] = [:]
  private var told: Set<String> = []

  /// - Parameters:
  ///   - texts: All sentences of the report.
  ///   - others: The items in columns.
  init(_ texts: [String], and others: [(title: String, place: String)]) {
    for text in texts {
      for part in Self.parts(of: text) {
        if let place = part.place { places[part.title, default: []].insert(place) }
      }
    }
    for (title, place) in others { places[title, default: []].insert(place) }
  }

  /// The location, if it has to be given.
  mutating func place(of title: String, _ place: String) -> String? {
    let isNew = told.insert("\(title) \(place)").inserted
    return isNew || places[title, default: []].count > 1 ? place : nil
  }

  /// A sentence without the locations that were given before.
  mutating func words(_ text: String) -> String {
    var result = ""
    for part in Self.parts(of: text) {
      result += part.before + part.title
      if let place = part.place, let words = self.place(of: part.title, place) { result += " at " + words }
    }
    return result
  }

  /// A part of a sentence: the text before a name, the name in its backquotes, and the location after it.
  private struct Part {
    var before: Substring
    var title = ""
    var place: String?
  }

  private static func parts(of text: String) -> [Part] {
    var parts: [Part] = []
    var rest = text[...]
    while let start = rest.firstIndex(of: "`"), let end = rest[rest.index(after: start)...].firstIndex(of: "`") {
      var part = Part(before: rest[..<start], title: String(rest[start...end]))
      rest = rest[rest.index(after: end)...]
      if rest.hasPrefix(" at ") {
        let place = rest.dropFirst(4).prefix { !" ,;:)".contains($0) }
        // The line number follows a colon.
        let line = rest.dropFirst(4 + place.count + 1).prefix(while: \.isNumber)
        if !place.isEmpty, !line.isEmpty, rest.dropFirst(4 + place.count).first == ":" {
          part.place = "\(place):\(line)"
          rest = rest.dropFirst(4 + place.count + 1 + line.count)
        }
      }
      parts.append(part)
    }
    return parts + [Part(before: rest)]
  }
}
