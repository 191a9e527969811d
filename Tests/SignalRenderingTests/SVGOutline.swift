import Foundation

#if canImport(FoundationXML)
  import FoundationXML
#endif

/// What an SVG picture of libgraphviz shows, without coordinates, which depend on fonts and versions: one line for each
/// group with its class, title and words, and the colours and dashes that occur in it.
struct SVGOutline {
  struct NotXML: Error {}

  var text: String
  var elements: Set<String>

  init(svg: Data) throws {
    let reader = Reader()
    let parser = XMLParser(data: svg)
    parser.delegate = reader
    guard parser.parse() else { throw NotXML() }
    text = reader.lines.joined(separator: "\n") + "\n"
    elements = reader.elements
  }

  private final class Reader: NSObject, XMLParserDelegate {
    var lines: [String] = []
    var elements = Set<String>()
    private var words = ""

    func parser(
      _ parser: XMLParser, didStartElement element: String, namespaceURI: String?, qualifiedName: String?,
      attributes: [String: String]
    ) {
      elements.insert(element)
      words = ""
      switch element {
      case "g":
        if let group = attributes["class"] { lines.append(group) }
      case "path", "polygon", "polyline":
        let paint = ["fill", "stroke", "stroke-dasharray", "stroke-width"].compactMap { name in
          attributes[name].map { "\(name)=\($0)" }
        }
        lines.append("  \(element) \(paint.joined(separator: " "))")
      default: break
      }
    }

    func parser(_ parser: XMLParser, foundCharacters string: String) { words += string }

    func parser(_ parser: XMLParser, didEndElement element: String, namespaceURI: String?, qualifiedName: String?) {
      if element == "title" || element == "text" { lines.append("  \(element) \(words)") }
    }
  }
}
