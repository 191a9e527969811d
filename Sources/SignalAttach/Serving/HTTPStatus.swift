/// The status in the first line of a response.
package enum HTTPStatus: Int {
  case ok = 200
  case seeOther = 303
  case badRequest = 400
  case forbidden = 403
  case notFound = 404
  case methodNotAllowed = 405
  case requestTimeout = 408
  case payloadTooLarge = 413
  case requestHeaderFieldsTooLarge = 431
  case serviceUnavailable = 503
  case httpVersionNotSupported = 505

  /// The reason phrase.
  package var phrase: String {
    switch self {
    case .ok: "OK"
    case .seeOther: "See Other"
    case .badRequest: "Bad Request"
    case .forbidden: "Forbidden"
    case .notFound: "Not Found"
    case .methodNotAllowed: "Method Not Allowed"
    case .requestTimeout: "Request Timeout"
    case .payloadTooLarge: "Payload Too Large"
    case .requestHeaderFieldsTooLarge: "Request Header Fields Too Large"
    case .serviceUnavailable: "Service Unavailable"
    case .httpVersionNotSupported: "HTTP Version Not Supported"
    }
  }
}
