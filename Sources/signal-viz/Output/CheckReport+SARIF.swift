import Foundation
import SignalAttach
import SignalFindings

extension CheckReport {
  /// The report in the format of code-review tools, SARIF 2.1.0.
  ///
  /// - Parameter sources: The directory of the source code, to which paths are relative.
  func sarif(sources: SourceFolder) throws -> Data {
    let rules = Rules.all
    let numbers = Dictionary(uniqueKeysWithValues: rules.enumerated().map { ($1.name, $0) })
    let log = SARIF.Log(runs: [
      SARIF.Run(
        tool: SARIF.Tool(
          driver: SARIF.Component(version: Hello.currentLibraryVersion, rules: rules.map(SARIF.Rule.init))),
        results: findings.map { SARIF.Result($0, rule: numbers[$0.rule], sources: sources) })
    ])
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    return try encoder.encode(log) + Data("\n".utf8)
  }
}

/// The subset of the Static Analysis Results Interchange Format, version 2.1.0, that is written.
enum SARIF {
  struct Log: Encodable {
    enum CodingKeys: String, CodingKey {
      case schema = "$schema"
      case version, runs
    }
    var schema = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
    var version = "2.1.0"
    var runs: [Run]
  }

  struct Run: Encodable {
    var columnKind = "utf16CodeUnits"
    var tool: Tool
    var results: [Result]
  }

  struct Tool: Encodable {
    var driver: Component
  }

  struct Component: Encodable {
    var name = "signal-viz"
    var version: String
    var rules: [Rule]
  }

  struct Rule: Encodable {
    var id: String
    var name: String
    var shortDescription: Message
    var fullDescription: Message
    var help: Message

    init(_ rule: any SignalFindings.Rule.Type) {
      id = rule.name
      name = rule.name.split(separator: "-").map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined()
      shortDescription = Message(literal: rule.summary.sentence)
      fullDescription = Message(literal: "It finds \(rule.summary) in the live graph of signals of a program.")
      help = Message(
        literal: "`signal-viz check` finds \(rule.summary). Each result says what to do. "
          + "`--ignore \(rule.name)` leaves this rule out; `--baseline` leaves out what is known.")
    }
  }

  struct Message: Encodable {
    var text: String

    /// A literal text: single braces would name arguments, and brackets before parentheses would be a link.
    init(literal words: String) {
      let plain = words.replacing("{", with: "{{").replacing("}", with: "}}")
      text = plain.contains("](") ? plain.replacing("[", with: "\\[").replacing("]", with: "\\]") : plain
    }
  }

  struct Result: Encodable {
    var ruleId: String
    var ruleIndex: Int?
    var level: String
    var message: Message
    var locations: [Location]
    var relatedLocations: [Location]?
    var partialFingerprints: [String: String]

    init(_ finding: Finding, rule: Int?, sources: SourceFolder) {
      ruleId = finding.rule
      ruleIndex = rule
      level = finding.severity.rawValue
      message = Message(literal: "\(finding.message.sentence) To fix it: \(finding.remedy).")
      locations = [Location(finding.place, sources: sources)]
      if !finding.related.isEmpty {
        relatedLocations = finding.related.enumerated().map { index, related in
          var location = Location(related.place, sources: sources)
          location.id = index + 1
          location.message = Message(literal: related.message.sentence)
          return location
        }
      }
      partialFingerprints = ["signalFinding/v2": Fingerprint(of: finding).digest]
    }
  }

  struct Location: Encodable {
    var id: Int?
    var message: Message?
    var physicalLocation: PhysicalLocation
    var logicalLocations: [LogicalLocation]?

    init(_ place: Place, sources: SourceFolder) {
      let path = sources.pathInside(of: place.fileID) ?? place.fileID
      physicalLocation = PhysicalLocation(
        artifactLocation: ArtifactLocation(uri: path.percentEncodedPath, uriBaseId: "%SRCROOT%"),
        region: place.line > 0 ? Region(startLine: place.line) : nil)
      if !place.function.isEmpty { logicalLocations = [LogicalLocation(name: place.function)] }
    }
  }

  struct PhysicalLocation: Encodable {
    var artifactLocation: ArtifactLocation
    var region: Region?
  }

  struct ArtifactLocation: Encodable {
    var uri: String
    var uriBaseId: String
  }

  struct Region: Encodable {
    var startLine: Int
  }

  struct LogicalLocation: Encodable {
    var name: String
    var kind = "function"
  }
}

extension String {
  /// The text with a capital letter and a full stop.
  fileprivate var sentence: String { prefix(1).uppercased() + dropFirst() + (hasSuffix(".") ? "" : ".") }

  /// A path as a URI reference, percent-encoded where necessary. It does not lead out of its directory.
  fileprivate var percentEncodedPath: String {
    let plain = Set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~/".utf8)
    let path = split(separator: "/").filter { $0 != ".." && $0 != "." }.joined(separator: "/")
    return path.utf8.reduce(into: "") { result, byte in
      if plain.contains(byte) {
        result.unicodeScalars.append(Unicode.Scalar(byte))
      } else {
        let digits = String(byte, radix: 16, uppercase: true)
        result += digits.count == 1 ? "%0\(digits)" : "%\(digits)"
      }
    }
  }
}
