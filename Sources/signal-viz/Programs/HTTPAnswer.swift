import Foundation

/// A whole answer to a request in the form without chunks, whose end is the end of the connection.
struct HTTPAnswer {
  /// The status of a program that answers as many clients as it can.
  static let tooManyClients = 503
  /// The status where there is nothing of what was asked for.
  static let notFound = 404

  var status: Int
  /// A part of the bytes that have come, not a copy: it may be large.
  var body: Data

  /// Reads an answer; `nil` when the bytes are none.
  init?(_ bytes: Data) {
    let emptyLine = Data("\r\n\r\n".utf8)
    guard let end = bytes.range(of: emptyLine) else { return nil }
    let line = String(decoding: bytes.prefix { $0 != UInt8(ascii: "\r") }, as: UTF8.self)
    let words = line.split(separator: " ", maxSplits: 2)
    guard words.count >= 2, words[0].hasPrefix("HTTP/1."), let status = Int(words[1]) else { return nil }
    self.status = status
    body = bytes[end.upperBound...]
  }
}
