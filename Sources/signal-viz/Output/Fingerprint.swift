import SignalFindings

/// What stays the same of a finding while the code around it and the figures in its words change: rule, file, function, and the message
/// without its numbers. Lines are no part of it.
struct Fingerprint: Hashable {
  var rule: String
  var fileID: String
  var function: String
  var words: String

  init(of finding: Finding) {
    rule = finding.rule
    fileID = finding.place.fileID
    function = finding.place.function
    words = finding.message.replacing(/[0-9]+(?:[.,][0-9]+)*/, with: "#")
  }

  /// Whether the finding speaks of one subscription, and not of several made at its place.
  var isOfOne: Bool { words.hasPrefix("this ") }

  /// The fingerprint as 16 hexadecimal digits, the same on every machine: FNV-1a of the parts, with a zero after each.
  var digest: String {
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    for part in [rule, fileID, function, words] {
      for byte in Array(part.utf8) + [0] {
        hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3
      }
    }
    let digits = String(hash, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }
}
