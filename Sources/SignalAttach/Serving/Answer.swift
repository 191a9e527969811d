package import Foundation

/// Writes one HTTP response. Every response ends its connection, so that a client occupies its slot for one response
/// only.
package struct Answer {
  package let connection: ClientConnection
  /// Whether bodies of unknown length are sent in chunks; otherwise the end of the connection ends them.
  package let isChunked: Bool

  /// Headers of every response.
  package var standingHeaders: [String] = []

  package init(connection: ClientConnection, isChunked: Bool, standingHeaders: [String] = []) {
    self.connection = connection
    self.isChunked = isChunked
    self.standingHeaders = standingHeaders
  }

  /// Writes a whole response with a given body.
  package func send(_ status: HTTPStatus, type: String, headers: [String] = [], body: Data) throws {
    try connection.write(
      head(status, headers: ["Content-Type: \(type)", "Content-Length: \(body.count)"] + headers) + body)
    connection.finish()
  }

  /// Writes an error response, as a line of text.
  package func refuse(_ status: HTTPStatus, _ message: String, headers: [String] = []) throws {
    try send(status, type: "text/plain; charset=utf-8", headers: headers, body: Data((message + "\n").utf8))
  }

  /// Begins a response whose body is written in pieces.
  package func begin(type: String) throws {
    try connection.write(
      head(.ok, headers: ["Content-Type: \(type)"] + (isChunked ? ["Transfer-Encoding: chunked"] : [])))
  }

  /// Writes one piece of the body.
  package func write(_ piece: Data) throws {
    guard isChunked else { return try connection.write(piece) }
    // An empty chunk would end the body.
    guard !piece.isEmpty else { return }
    try connection.write(Data("\(String(piece.count, radix: 16))\r\n".utf8) + piece + Data("\r\n".utf8))
  }

  /// Ends the body.
  package func end() throws {
    if isChunked { try connection.write(Data("0\r\n\r\n".utf8)) }
    connection.finish()
  }

  private func head(_ status: HTTPStatus, headers: [String]) -> Data {
    let lines =
      ["HTTP/1.1 \(status.rawValue) \(status.phrase)"] + headers + standingHeaders + [
        "Cache-Control: no-store", "Connection: close", "", "",
      ]
    return Data(lines.joined(separator: "\r\n").utf8)
  }
}
