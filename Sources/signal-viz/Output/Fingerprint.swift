import SignalFindings
import SignalPicture

/// The part of a finding that stays the same while the code around it and its description change: rule, file and
/// function.
///
/// Excludes lines, and messages with their figures, times and error texts, which differ in each run.
struct Fingerprint: Hashable {
  var rule: String
  var fileID: String
  var function: String

  init(of finding: Finding) {
    rule = finding.rule
    fileID = finding.place.fileID
    function = finding.place.function
  }

  /// The fingerprint as 16 hexadecimal digits, the same on every machine.
  var digest: String {
    let digits = String([rule, fileID, function].flatMap { Array($0.utf8) + [0] }.stableHash, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }
}
