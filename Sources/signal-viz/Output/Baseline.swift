import Foundation
import SignalFindings

/// Findings that are known, and do not count any more.
struct Baseline {
  private var findings: [Finding]

  init(_ findings: [Finding]) { self.findings = findings }

  /// Reads what `check --json` or `--write-baseline` wrote.
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

  /// The findings that are not known. Each known one stands for one finding: where a second one like it comes, that is new.
  ///
  /// What is told of one subscription and what is told of several of the same place is the same fault.
  ///
  /// - Parameter found: What was found.
  /// - Returns: Those of them that are new, in the same order.
  func newFindings(among found: [Finding]) -> [Finding] {
    var known: [Fingerprint: Int] = [:]
    for finding in findings { known[Fingerprint(of: finding), default: 0] += 1 }
    let others = found.filter { finding in
      let fingerprint = Fingerprint(of: finding)
      guard let count = known[fingerprint], count > 0 else { return true }
      known[fingerprint] = count - 1
      return false
    }
    return others.filter { finding in
      let fingerprint = Fingerprint(of: finding)
      let match = known.first { other, count in
        count > 0 && other.rule == fingerprint.rule && other.fileID == fingerprint.fileID
          && other.function == fingerprint.function && other.isOfOne != fingerprint.isOfOne
      }
      guard let match else { return true }
      known[match.key] = match.value - 1
      return false
    }
  }
}
