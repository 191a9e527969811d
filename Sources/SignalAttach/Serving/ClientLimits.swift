/// The resource limits of a server.
package struct ClientLimits: Sendable {
  /// The number of clients that are served at the same time.
  package var clients = 4
  /// The number of clients without a slot, whose requests are being read, or which are being rejected; with another one
  /// the oldest is disconnected.
  package var newcomers = 8
  /// The maximum size of a request's line and headers, in bytes.
  package var headBytes = 8 * 1_024
  /// The maximum size of a request's body, in bytes. No request needs one.
  package var bodyBytes = 4 * 1_024
  /// The maximum time for a client to send its whole request.
  package var requestTime = Duration.seconds(5)
  /// The maximum time for a client to receive one piece of a response.
  package var writeTime = Duration.seconds(10)
  /// The time for which bytes of a rejected client are still read, so that it receives the reason.
  package var lingerTime = Duration.seconds(1)

  package init() {}
}
