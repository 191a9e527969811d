import Foundation
import SignalFindings

/// Known findings, which no longer count.
struct Baseline {
  private var findings: [Finding]

  init(_ findings: [Finding]) { self.findings = findings }

  /// Reads a file written by `check --json` or `--write-baseline`.
  init(path: String) throws {
    let data: Data
    do {
      data = try Data(contentsOf: URL(fileURLWithPath: path))
    } catch {
      throw Failure("The baseline `\(path)` cannot be read: \(error.localizedDescription)")
    }
    guard let form = try? JSONDecoder().decode(Form.self, from: data) else {
      throw Failure("The baseline `\(path)` is not what `signal-viz check --write-baseline` writes; write it again.")
    }
    guard (1...CheckReport.version).contains(form.version) else {
      throw Failure(
        "The baseline `\(path)` has version \(form.version); this signal-viz reads versions from 1 to \(CheckReport.version)."
      )
    }
    findings = form.findings
  }

  private struct Form: Decodable {
    var version: Int
    var findings: [Finding]
  }

  /// Returns the findings that are not known. Each known finding matches one finding of the same rule, file and
  /// function: a second one is new. If one of them is at the known line, that one counts as known.
  ///
  /// - Parameter found: The findings to filter.
  /// - Returns: The new findings, in the same order.
  func newFindings(among found: [Finding]) -> [Finding] {
    var known: [Fingerprint: [Int]] = [:]
    for finding in findings { known[Fingerprint(of: finding), default: []].append(finding.place.line) }
    let moved = found.filter { finding in
      let lines = known[Fingerprint(of: finding), default: []]
      guard let index = lines.firstIndex(of: finding.place.line) else { return true }
      known[Fingerprint(of: finding)]?.remove(at: index)
      return false
    }
    return moved.filter { known[Fingerprint(of: $0)]?.popLast() == nil }
  }
}
