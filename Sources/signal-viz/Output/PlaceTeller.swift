/// Tells the place of each thing of an answer once: where it is named again, its name is enough, if nothing else of the answer is called so.
///
/// A thing is written as in explanations: "`map` at Feed.swift:12".
struct PlaceTeller {
  /// The places of what is called so in the whole answer.
  private var places: [String: Set<String>] = [:]
  private var told: Set<String> = []

  /// - Parameters:
  ///   - texts: All sentences of the answer.
  ///   - others: What stands in columns.
  init(_ texts: [String], and others: [(title: String, place: String)]) {
    for text in texts {
      for part in Self.parts(of: text) {
        if let place = part.place { places[part.title, default: []].insert(place) }
      }
    }
    for (title, place) in others { places[title, default: []].insert(place) }
  }

  /// The place, where it has to be told.
  mutating func place(of title: String, _ place: String) -> String? {
    let isNew = told.insert("\(title) \(place)").inserted
    return isNew || places[title, default: []].count > 1 ? place : nil
  }

  /// A sentence without the places that were told before.
  mutating func words(_ text: String) -> String {
    var result = ""
    for part in Self.parts(of: text) {
      result += part.before + part.title
      if let place = part.place, let words = self.place(of: part.title, place) { result += " at " + words }
    }
    return result
  }

  /// A piece of a sentence: what is before a name, the name in its marks, and the place behind it.
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
        // The line is behind a colon.
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
