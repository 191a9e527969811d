/// Distinguishes truncated JSON from other invalid JSON.
enum JSONExtent {
  /// Whether the byte is white space of JSON.
  static func isSpace(_ byte: UInt8) -> Bool {
    byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D
  }

  /// Whether a text that opens an object or a list ends before closing it.
  static func isTruncated(_ text: some Sequence<UInt8>) -> Bool {
    var opened = false
    var depth = 0
    var inString = false
    var escaped = false
    for byte in text {
      if inString {
        if escaped {
          escaped = false
        } else if byte == UInt8(ascii: "\\") {
          escaped = true
        } else if byte == UInt8(ascii: "\"") {
          inString = false
        }
        continue
      }
      switch byte {
      case UInt8(ascii: "{"), UInt8(ascii: "["):
        opened = true
        depth += 1
      case UInt8(ascii: "}"), UInt8(ascii: "]"):
        depth -= 1
      case UInt8(ascii: "\""):
        inString = true
      default:
        if !opened && !isSpace(byte) { return false }
      }
    }
    return opened && (depth > 0 || inString)
  }
}
