/// What a server gives away at most, whatever it serves.
package struct ClientLimits: Sendable {
  /// Clients that are answered at the same time.
  package var clients = 4
  /// Clients without such a place, whose requests are read, or which are rejected; with another one the oldest is cut off.
  package var newcomers = 8
  /// Bytes of a request's line and headers.
  package var headBytes = 8 * 1_024
  /// Bytes of a request's body, which nothing needs.
  package var bodyBytes = 4 * 1_024
  /// How long a client may take to send its whole request.
  package var requestTime = Duration.seconds(5)
  /// How long a client may take to make room for one piece of an answer.
  package var writeTime = Duration.seconds(10)
  /// How long bytes are read off that a client still sends after it was refused, so that it gets to read why.
  package var lingerTime = Duration.seconds(1)

  package init() {}
}
