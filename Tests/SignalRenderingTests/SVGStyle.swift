import Foundation

/// A colour in sRGB.
struct Colour: CustomStringConvertible {
  private var red: Double
  private var green: Double
  private var blue: Double

  /// Such as `#e6f1fa` or `white`.
  init?(_ text: String) {
    let text = text == "white" ? "#ffffff" : text == "black" ? "#000000" : text
    guard text.count == 7, text.hasPrefix("#"), let number = UInt32(text.dropFirst(), radix: 16) else { return nil }
    (red, green, blue) = (Double(number >> 16), Double(number >> 8 & 255), Double(number & 255))
  }

  var description: String { "rgb(\(red), \(green), \(blue))" }

  /// The relative luminance of WCAG 2.
  var luminance: Double {
    func linear(_ value: Double) -> Double {
      value / 255 <= 0.03928 ? value / 255 / 12.92 : pow((value / 255 + 0.055) / 1.055, 2.4)
    }
    return 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue)
  }

  func contrast(with other: Colour) -> Double {
    (max(luminance, other.luminance) + 0.05) / (min(luminance, other.luminance) + 0.05)
  }
}

/// The rules of a picture for dark ground: `.signals [fill="#ffffff"]{fill:#000000}`.
struct SVGStyle {
  private var rules: [String: String] = [:]

  init(_ text: String) {
    for match in text.matches(of: /\.signals \[(\w+)="([^"]+)"\]\{(\w+):([^}]+)\}/) where match.1 == match.3 {
      rules["\(match.1) \(match.2)"] = String(match.4)
    }
  }

  func dark(_ property: String, _ colour: String) -> String? { rules["\(property) \(colour)"] }
}

/// The letters of a picture with what is painted under them.
struct SVGLooks {
  struct Text {
    var words: String
    var letters: Colour
    var ground: Colour
  }

  private(set) var texts: [Text] = []

  init(_ root: SVGElement, sheet: SVGStyle, isDark: Bool) {
    var grounds: [(x: ClosedRange<Double>, y: ClosedRange<Double>, colour: Colour)] = []
    for element in root.all {
      let fill = element["fill"] ?? "black"
      guard let colour = Colour(isDark ? sheet.dark("fill", fill) ?? fill : fill) else { continue }
      if element.name == "text" {
        guard let x = element["x"].flatMap(Double.init), let y = element["y"].flatMap(Double.init) else { continue }
        guard let ground = grounds.last(where: { $0.x.contains(x) && $0.y.contains(y) }) else { continue }
        texts.append(Text(words: element.words, letters: colour, ground: ground.colour))
      } else if let shape = element["points"] ?? element["d"] {
        let numbers = shape.matches(of: /-?[0-9.]+/).compactMap { Double($0.output) }
        let xs = numbers.indices.filter { $0.isMultiple(of: 2) }.map { numbers[$0] }
        let ys = numbers.indices.filter { !$0.isMultiple(of: 2) }.map { numbers[$0] }
        if let left = xs.min(), let right = xs.max(), let top = ys.min(), let bottom = ys.max() {
          grounds.append((left...right, top...bottom, colour))
        }
      }
    }
  }
}
