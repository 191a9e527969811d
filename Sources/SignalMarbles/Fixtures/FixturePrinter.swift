/// Writes `.marbles` files in the format of ``FixtureParser``, with the texts of a case aligned.
package struct FixturePrinter {
  /// Creates a printer.
  package init() {}

  /// Returns the text of a file. All cases must be in the dialect of the first.
  ///
  /// - Parameter fixtures: The cases, in the order to write them.
  /// - Returns: A text that ``FixtureParser`` parses as the same cases.
  package func print(_ fixtures: [MarbleFixture]) -> String {
    let head = "dialect: \((fixtures.first?.dialect ?? .signals).rawValue)\n"
    return ([head] + fixtures.map(lines)).joined(separator: "\n")
  }

  private func lines(of fixture: MarbleFixture) -> String {
    var lines: [(key: String, text: String)] = [("fixture", fixture.name)]
    lines.append(("operator", fixture.operatorName ?? "none yet"))
    if let name = fixture.rxjsName { lines.append(("rxjs", name)) }
    lines += sorted(fixture.arguments).map { ("argument \($0)", $1.json) }
    lines += sorted(fixture.values).map { ("value \($0)", $1.json) }
    lines += sorted(fixture.errors).map { ($0.isEmpty ? "error" : "error \($0)", $1.json) }
    lines += sorted(fixture.expectedErrors).map { ($0.isEmpty ? "expected error" : "expected error \($0)", $1.json) }
    lines += fixture.sources.map { ("\($0.kind.rawValue) \($0.name)", $0.diagram.string) }
    for observer in fixture.observers {
      if let subscription = observer.subscription { lines.append(("subscription", subscription.string)) }
      lines.append(("expected", observer.expected.string))
    }
    if !fixture.frames.isEmpty {
      lines.append(("frames", fixture.frames.map { "\($0.time):\($0.event)" }.joined(separator: " ")))
    }
    lines += sorted(fixture.windows).map { ("window \($0)", $1.string) }
    lines += subscriptions(fixture.subscriptions, of: fixture, prefix: "")
    if let law = fixture.law {
      lines.append(("law \(law.number)", law.reason))
      lines += law.expected.map { ("law expected", $0.string) }
      lines += subscriptions(law.subscriptions, of: fixture, prefix: "law ")
    }
    if !fixture.tags.isEmpty { lines.append(("tags", fixture.tags.joined(separator: ", "))) }
    if let origin = fixture.origin { lines.append(("origin", origin)) }
    if let note = fixture.note { lines.append(("note", note)) }
    let width = (lines.map { DisplayWidth.of($0.key) }.max() ?? 0) + 3
    return lines.map { ($0.key + ":").padding(to: width) + $0.text + "\n" }.joined()
  }

  private func sorted<Text>(_ map: [String: Text]) -> [(String, Text)] {
    map.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
  }

  private func subscriptions(
    _ subscriptions: [String: [MarbleText]], of fixture: MarbleFixture, prefix: String
  ) -> [(String, String)] {
    fixture.sources.map(\.name).flatMap { name -> [(String, String)] in
      guard let texts = subscriptions[name] else { return [] }
      return texts.isEmpty
        ? [("\(prefix)subscribed \(name)", "never")] : texts.map { ("\(prefix)subscribed \(name)", $0.string) }
    }
  }
}
