/// The line and headers of a request, as far as this library needs them.
package struct RequestHead: Hashable {
  package var method: String
  package var target: String
  /// Whether the client supports chunked responses, unlike HTTP/1.0.
  package var knowsChunks: Bool
  package var bodyBytes: Int
  /// The client's timeout, if given: `Prefer: wait=0` (RFC 7240) requests an immediate response.
  package var patience: Duration?
  /// The host and port that the client addresses; nil if not given.
  package var host: String?
  /// The origin of a browser's request, such as `http://localhost:8080`; nil if not given.
  package var origin: String?

  /// The reason why a request is rejected before its target is parsed.
  package struct Refusal: Error {
    package var status: HTTPStatus
    package var message: String
  }

  /// Reads until the empty line after the headers.
  package static func read(from connection: ClientConnection, limits: ClientLimits) throws -> RequestHead {
    let deadline = ContinuousClock.now + limits.requestTime
    var bytes: [UInt8] = []
    while true {
      if let end = endOfHead(in: bytes) { return try RequestHead(parsing: bytes[..<end], limits: limits) }
      guard bytes.count < limits.headBytes else {
        throw Refusal(
          status: .requestHeaderFieldsTooLarge,
          message: "the request's line and headers are longer than \(limits.headBytes) bytes; send a shorter request")
      }
      do {
        bytes += try connection.read(atMost: limits.headBytes - bytes.count, until: deadline)
      } catch ClientConnection.End.tooSlow {
        throw Refusal(
          status: .requestTimeout,
          message: "no whole request came within \(limits.requestTime); send one right after connecting")
      }
    }
  }

  private static func endOfHead(in bytes: [UInt8]) -> Int? {
    for index in bytes.indices where bytes[index] == UInt8(ascii: "\n") {
      let rest = bytes[(index + 1)...]
      if rest.starts(with: "\n".utf8) || rest.starts(with: "\r\n".utf8) { return index + 1 }
    }
    return nil
  }

  package init(parsing bytes: ArraySlice<UInt8>, limits: ClientLimits) throws(Refusal) {
    let lines = String(decoding: bytes, as: UTF8.self)
      .split(omittingEmptySubsequences: true, whereSeparator: \.isNewline)
    let words = (lines.first ?? "").split(separator: " ", omittingEmptySubsequences: false)
    guard words.count == 3, words[2].hasPrefix("HTTP/") else {
      throw Refusal(status: .badRequest, message: "this is no HTTP request; send one like: GET /hello HTTP/1.1")
    }
    guard words[2].hasPrefix("HTTP/1.") else {
      throw Refusal(status: .httpVersionNotSupported, message: "'\(words[2])' is not spoken here; use HTTP/1.1")
    }
    method = String(words[0])
    target = String(words[1])
    knowsChunks = words[2] != "HTTP/1.0"
    bodyBytes = 0
    for line in lines.dropFirst() {
      guard let colon = line.firstIndex(of: ":") else {
        throw Refusal(status: .badRequest, message: "header '\(line.prefix(80))' has no colon; send 'Name: value'")
      }
      let value = line[line.index(after: colon)...].drop { $0 == " " || $0 == "\t" }
      switch line[..<colon].lowercased() {
      case "content-length":
        guard let count = Int(value), count >= 0 else {
          throw Refusal(status: .badRequest, message: "Content-Length '\(value.prefix(80))' is no number of bytes")
        }
        bodyBytes = count
      case "prefer":
        patience = Self.patience(in: value) ?? patience
      case "host":
        guard host == nil else { throw Refusal(status: .badRequest, message: "Host is given twice; send it once") }
        host = String(value)
      case "origin":
        guard origin == nil else { throw Refusal(status: .badRequest, message: "Origin is given twice; send it once") }
        origin = String(value)
      case "transfer-encoding":
        throw Refusal(
          status: .payloadTooLarge, message: "a body of unknown length is not accepted; send the request without a body"
        )
      default:
        continue
      }
    }
    guard bodyBytes <= limits.bodyBytes else {
      throw Refusal(
        status: .payloadTooLarge,
        message: "a body of \(bodyBytes) bytes is not accepted, at most \(limits.bodyBytes); send none")
    }
  }

  /// The preference `wait` of a header. Unknown preferences are ignored, as required.
  private static func patience(in value: Substring) -> Duration? {
    for preference in value.split(whereSeparator: { $0 == "," || $0 == ";" }) {
      let words = preference.split(separator: "=", maxSplits: 1).map {
        $0.filter { $0 != " " && $0 != "\t" && $0 != "\"" }
      }
      if words.count == 2, words[0].lowercased() == "wait", let seconds = UInt32(words[1]) { return .seconds(seconds) }
    }
    return nil
  }
}
