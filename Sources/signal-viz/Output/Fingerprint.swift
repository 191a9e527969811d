import SignalFindings

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

  /// The fingerprint as 16 hexadecimal digits, the same on every machine: FNV-1a of the parts, with a zero after each.
  var digest: String {
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    for part in [rule, fileID, function] {
      for byte in Array(part.utf8) + [0] {
        hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3
      }
    }
    let digits = String(hash, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }
}
