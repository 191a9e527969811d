/// The style sheet of SVG drawings, which contains their colours for dark mode: one file serves both modes.
///
/// A drawing has the light colours in its attributes, so programs that ignore style sheets show those, as print does.
package enum PictureStyleSheet {
  /// The light colours with their counterparts in dark mode.
  private static let paints: [(light: String, dark: String)] = [
    ("#e6f1fa", "#17303f"), ("#eceff1", "#222b33"), ("#ffe3d1", "#46270f"), ("#fbddee", "#45203a"),
    ("#dff3e7", "#15382a"), ("#ffffff", "#182029"), ("#f7f9fb", "#151d24"),
    ("#0072b2", "#56b4e9"), ("#7a8894", "#7b8b97"), ("#d55e00", "#f08b4b"), ("#b5307f", "#ea79b8"),
    ("#007555", "#35c49b"), ("#c62f2f", "#ff8a80"), ("#b8c4ce", "#3a4854"),
    ("#46586a", "#8ea0b1"), ("#b26a00", "#e0a04a"), ("#00815e", "#35c49b"), ("#a54500", "#f0995a"),
    ("#526170", "#97a8b8"), ("#6b3fa0", "#b79ae6"), ("#1b2733", "#e4ebf1"),
  ]

  /// The background in light and dark mode.
  private static let page = (light: "white", dark: "#10161c")

  /// The class of the drawings to which the rules apply, even inside a page.
  package static let className = "signals"

  /// The style rules.
  package static let text: String = {
    var rules = paints.flatMap { paint in
      ["fill", "stroke"].map { rule("[\($0)=\"\(paint.light)\"]", $0, paint.dark) }
    }
    // Texts on dark backgrounds are light, and those on light backgrounds dark.
    rules.append(rule("[fill=\"\(page.light)\"]", "fill", page.dark))
    rules.append(rule("[stroke=\"\(page.light)\"]", "stroke", page.dark))
    return """
      svg.\(className):root{color-scheme:light dark}
      @media screen and (prefers-color-scheme:dark){
      \(rules.joined(separator: "\n"))
      }

      """
  }()

  private static func rule(_ selector: String, _ property: String, _ colour: String) -> String {
    ".\(className) \(selector){\(property):\(colour)}"
  }
}
