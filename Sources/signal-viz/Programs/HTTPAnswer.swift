import Foundation

/// A complete HTTP response without chunked encoding, which ends with the connection.
struct HTTPAnswer {
  /// The status of a program that has reached its limit of clients.
  static let tooManyClients = 503
  /// The status if the requested item does not exist.
  static let notFound = 404

  var status: Int
  /// A slice of the received bytes, not a copy, as it may be large.
  var body: Data

  /// Parses a response; `nil` if the bytes are not one.
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
