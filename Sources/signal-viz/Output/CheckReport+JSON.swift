import Foundation
import SignalFindings
import SignalGraph
import SignalPicture

extension CheckReport {
  /// The report as JSON, with sorted keys; `LookingAtAProgram.md` describes its content.
  ///
  /// - Parameter sources: The directory of the source code.
  func json(sources: SourceFolder) throws -> Data {
    let form = Form(
      version: Self.version, program: program, watchedSeconds: watchedSeconds, nodeCount: nodes.live + nodes.ended,
      liveNodeCount: nodes.live,
      knownCount: knownCount,
      findings: findings.map { Entry($0, sources: sources) })
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    return try encoder.encode(form) + Data("\n".utf8)
  }

  private struct Form: Encodable {
    var version: Int
    var program: ProcessIdentity
    var watchedSeconds: Double
    var nodeCount: Int
    var liveNodeCount: Int
    var knownCount: Int
    var findings: [Entry]
  }

  /// A finding, with what only the tool knows about it.
  struct Entry: Encodable {
    private var finding: Finding
    private var file: String?
    private var fingerprint: String

    init(_ finding: Finding, sources: SourceFolder) {
      self.finding = finding
      file = sources.path(of: finding.place.fileID)
      fingerprint = Fingerprint(of: finding).digest
    }

    enum CodingKeys: CodingKey { case file, fingerprint }

    func encode(to encoder: any Encoder) throws {
      try finding.encode(to: encoder)
      var container = encoder.container(keyedBy: CodingKeys.self)
      try container.encodeIfPresent(file, forKey: .file)
      try container.encode(fingerprint, forKey: .fingerprint)
    }
  }
}
