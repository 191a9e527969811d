/// The colours of marble diagrams, for light and dark mode.
enum MarbleStyleSheet {
  /// The elements of one colour: the end of the selector, the property, and the colours in light and dark mode.
  private static let paints: [(selector: String, property: String, light: String, dark: String)] = [
    (".card", "fill", "#ffffff", "#17191e"), (".card", "stroke", "#dde2e8", "#343941"),
    ("text", "fill", "#1b2733", "#e8ebf0"),
    (".faint", "fill", "#566473", "#a3adba"),
    (".wrong", "fill", "#b3261e", "#ff9a92"),
    (".guide", "stroke", "#eef1f4", "#24282f"),
    (".tick", "stroke", "#a9b3bf", "#5b6572"),
    (".line", "stroke", "#5f6c7a", "#97a2b0"),
    (".point", "fill", "#5f6c7a", "#97a2b0"),
    (".span", "stroke", "#8792a0", "#7b8695"),
    (".box", "fill", "#f0f4fa", "#212833"), (".box", "stroke", "#b6c6de", "#46566e"),
    (".frame", "fill", "#ffffff", "#17191e"), (".frame", "stroke", "#8792a0", "#7b8695"),
    (".bare", "fill", "#ffffff", "#17191e"), (".bare", "stroke", "#5f6c7a", "#97a2b0"),
    (".fail", "stroke", "#b3261e", "#ff8a80"),
    (".gap", "fill", "#ffffff", "#17191e"),
    (".column", "fill", "#fdeceb", "#3a1e20"),
    (".ring", "stroke", "#b3261e", "#ff8a80"),
  ]

  /// The colours of marbles: fill and line, in light and dark mode; each with its text in the default colour.
  private static let marbles: [(fill: String, line: String, darkFill: String, darkLine: String)] = [
    ("#d5e6fb", "#2f6fb7", "#1f4069", "#7fb4ee"),
    ("#fde2c8", "#bd640f", "#5c3713", "#f2a95f"),
    ("#d3efd8", "#2b8543", "#1c4a29", "#76d08d"),
    ("#e7ddf8", "#754cb4", "#40306a", "#b797ee"),
    ("#faf0ba", "#94760a", "#4c4110", "#e2c64e"),
    ("#cbeeee", "#117d82", "#114749", "#5fced2"),
    ("#fbdaea", "#b23c79", "#5a2241", "#ef8fc0"),
    ("#e9e2d9", "#7b6750", "#453b30", "#c9b49c"),
  ]

  private static let shapes: [(selector: String, declarations: String)] = [
    ("text", "font:13px -apple-system,\"Segoe UI\",\"Helvetica Neue\",Arial,\"DejaVu Sans\",sans-serif"),
    (".label", "font-size:14px;text-anchor:middle"),
    (".small", "font-size:11px;text-anchor:middle"),
    (".note", "font-size:12px"),
    (".title", "font-size:15px;font-weight:600"),
    (".code", "font-family:ui-monospace,Menlo,Consolas,\"DejaVu Sans Mono\",monospace;text-anchor:middle"),
    (".line", "fill:none;stroke-width:1.5"),
    (".span", "fill:none;stroke-width:1.5"),
    (".end", "stroke-width:3"),
    (".fail", "fill:none;stroke-width:3;stroke-linecap:round"),
    (".thread", "stroke-width:1;stroke-dasharray:2 3"),
    (".ring", "fill:none;stroke-width:2"),
    (".missing", "stroke-dasharray:4 3"),
    (".any", "stroke-dasharray:3 2.5"),
  ]

  /// Returns the rules for the classes of shapes.
  static func text(for shapes: String) -> String {
    var classes: Set<Substring> = []
    var isName = false
    for part in shapes.split(separator: "\"", omittingEmptySubsequences: false) {
      if isName { classes.formUnion(part.split(separator: " ")) }
      isName = part.hasSuffix("class=")
    }
    func isUsed(_ selector: String) -> Bool { selector == "text" || classes.contains(selector.dropFirst()) }
    func rule(_ selector: String, _ declarations: String) -> String? {
      // The rules apply to this drawing only, even if it is embedded in a page.
      isUsed(selector) ? ".marbles \(selector){\(declarations)}" : nil
    }
    let light =
      paints.compactMap { rule($0.selector, "\($0.property):\($0.light)") }
      + marbles.enumerated().compactMap { rule(".c\($0.offset)", "fill:\($0.element.fill);stroke:\($0.element.line)") }
    let dark =
      paints.compactMap { rule($0.selector, "\($0.property):\($0.dark)") }
      + marbles.enumerated().compactMap {
        rule(".c\($0.offset)", "fill:\($0.element.darkFill);stroke:\($0.element.darkLine)")
      }
    let all =
      Self.shapes.compactMap { rule($0.selector, $0.declarations) } + light + ["@media (prefers-color-scheme:dark){"]
      + dark + ["}"]
    return all.joined(separator: "\n") + "\n"
  }
}
