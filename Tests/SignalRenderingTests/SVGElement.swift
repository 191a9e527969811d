import Foundation

#if canImport(FoundationXML)
  import FoundationXML
#endif

/// An element of an SVG picture with what is in it.
final class SVGElement {
  let name: String
  let attributes: [String: String]
  private(set) var children: [SVGElement] = []
  private(set) var words = ""

  private init(name: String, attributes: [String: String]) {
    self.name = name
    self.attributes = attributes
  }

  /// Reads a whole picture.
  static func read(_ svg: [UInt8]) throws -> SVGElement {
    let reader = Reader()
    let parser = XMLParser(data: Data(svg))
    parser.delegate = reader
    guard parser.parse(), let root = reader.root else {
      throw NotXML(message: "\(parser.lineNumber): \(parser.parserError.map { "\($0)" } ?? "no element")")
    }
    return root
  }

  struct NotXML: Error { var message: String }

  /// This and all that is in it, in the order in which it is painted.
  var all: [SVGElement] { [self] + children.flatMap(\.all) }

  /// What has a class.
  func all(_ className: String) -> [SVGElement] {
    all.filter { $0.attributes["class"]?.split(separator: " ").contains(Substring(className)) == true }
  }

  /// The first element of that name inside.
  func child(_ name: String) -> SVGElement? { children.first { $0.name == name } }

  subscript(attribute: String) -> String? { attributes[attribute] }

  private final class Reader: NSObject, XMLParserDelegate {
    var root: SVGElement?
    private var open: [SVGElement] = []

    func parser(
      _ parser: XMLParser, didStartElement name: String, namespaceURI: String?, qualifiedName: String?,
      attributes: [String: String]
    ) {
      let element = SVGElement(name: name, attributes: attributes)
      open.last?.children.append(element)
      if root == nil { root = element }
      open.append(element)
    }

    func parser(_ parser: XMLParser, foundCharacters string: String) { open.last?.words += string }

    func parser(_ parser: XMLParser, didEndElement name: String, namespaceURI: String?, qualifiedName: String?) {
      open.removeLast()
    }
  }
}
