import Foundation
import SignalAttach
import SignalFindings
import SignalGraph
import SignalPicture

/// Reads one request of a browser, and responds to it. No request changes any state, except that the address by which
/// the browser is opened leads to the page once.
///
/// Scripts and styles apart, only requests with the token in the page's address are served. A page of another origin
/// cannot read the responses, as none allows it to; one that reaches this server by a host name of its own (DNS
/// rebinding) is refused for that name.
struct PageAnswer {
  let connection: ClientConnection
  let site: PageSite

  static var encoder: JSONEncoder {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    encoder.nonConformingFloatEncodingStrategy = .convertToString(
      positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
    return encoder
  }

  /// The headers of every response: nothing is loaded from elsewhere, only this server's scripts run, and no page may
  /// embed this one.
  private static let headers = [
    "Content-Security-Policy: default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self';"
      + " base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    "Cross-Origin-Opener-Policy: same-origin", "Cross-Origin-Resource-Policy: same-origin",
    "Referrer-Policy: no-referrer", "X-Content-Type-Options: nosniff", "X-Frame-Options: DENY",
  ]

  func answer() throws {
    do {
      let head = try RequestHead.read(from: connection, limits: connection.limits)
      let answer = Answer(connection: connection, isChunked: head.knowsChunks, standingHeaders: Self.headers)
      try self.answer(head, with: answer)
    } catch let refusal as RequestHead.Refusal {
      try Answer(connection: connection, isChunked: false, standingHeaders: Self.headers)
        .refuse(refusal.status, refusal.message)
    }
  }

  private func answer(_ head: RequestHead, with answer: Answer) throws {
    guard head.method == "GET" else {
      return try answer.refuse(
        .methodNotAllowed, "'\(head.method)' is not possible here, this server is read-only; use GET",
        headers: ["Allow: GET"])
    }
    guard let host = head.host?.lowercased(), site.hosts.contains(host) else {
      return try answer.refuse(
        .forbidden, "this server responds to \(site.hosts[0]) only; open the address that signal-viz serve has printed")
    }
    guard head.origin.map({ origin in site.hosts.contains { origin.lowercased() == "http://\($0)" } }) ?? true else {
      return try answer.refuse(.forbidden, "requests from other sites are rejected")
    }
    let parts = head.target.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    let path = String(parts.first ?? "")
    // Scripts and styles are the same for all clients, and contain nothing about any program.
    if let file = PageFile.files[path] { return try answer.send(.ok, type: file.type, body: Data(file.bytes)) }
    guard ["/", "/open", "/events", "/graph.json", "/graph.svg", "/node", "/search"].contains(path) else {
      return try answer.refuse(.notFound, "there is nothing at this path; the page is at /")
    }
    let query = PageQuery(parts.count > 1 ? parts[1] : "")
    if path == "/open" { return try open(query["code"] ?? "", with: answer) }
    guard let token = query["token"], site.isToken(token) else {
      return try answer.refuse(
        .forbidden,
        "the token is missing or wrong; open the address that signal-viz serve has printed, including the part after the ?"
      )
    }
    guard try connection.enter() else {
      return try answer.refuse(
        .serviceUnavailable,
        "\(connection.limits.clients) pages are connected, which is the maximum; close one, and try again",
        headers: ["Retry-After: 1"])
    }
    switch path {
    case "/": try answer.send(.ok, type: PageFile.page.type, body: Data(PageFile.page.bytes))
    case "/events":
      try PageEvents(
        answer: answer, programs: site.programs, layouts: site.layouts, isTracing: query["trace"] == "1",
        sight: PageSight(query)
      ).run()
    default: try answerQuestion(path, query, with: answer)
    }
  }

  /// Leads to the page.
  private func open(_ code: String, with answer: Answer) throws {
    switch site.openingCode.use(code) {
    case .first:
      try answer.send(
        .seeOther, type: "text/plain; charset=utf-8", headers: ["Location: /?token=\(site.token)"], body: Data())
      return
    case .another:
      Terminal.note(
        "The address of --open was used again, in vain. If your browser does not show the page, someone else has opened it: stop it, and start it without --open."
      )
    case .invalid: break
    }
    try answer.refuse(
      .forbidden,
      "this address leads to the page once, and soon after the start; open the one that signal-viz serve has printed")
  }

  private func answerQuestion(_ path: String, _ query: PageQuery, with answer: Answer) throws {
    let view = PageView(query)
    guard let feed = site.programs.feed(view.program) else {
      return try answer.refuse(.notFound, "there is no such program (any more)")
    }
    func send(_ message: (some Encodable)?) throws {
      try answer.send(.ok, type: "application/json", body: try Self.encoder.encode(message))
    }
    let look = feed.current
    if path.hasPrefix("/graph.") {
      guard let graph = look.graph else { return try answer.refuse(.notFound, "the program has not answered yet") }
      let export = try PageExport(path, of: LivePicture.part(of: graph, in: view, look.findings), view: view)
      return try answer.send(
        .ok, type: export.type, headers: ["Content-Disposition: attachment; filename=\"\(export.name)\""],
        body: export.body)
    }
    // A graph that is not available yet, or a node that was evicted, is no client error: the response is null.
    let lookup = look.graph.map { graph in
      GraphLookup(
        graph: graph, before: look.before, picture: try? feed.picture(of: graph, view: view),
        findings: look.findings)
    }
    if path == "/search" { return try send(lookup?.hits(for: query["q"] ?? "")) }
    try send(query["id"].flatMap { UInt64($0) }.flatMap { lookup?.details(of: $0, links: site.links) })
  }
}

/// The state of the live page's server: its host names and token, the programs, and the layouts.
final class PageSite: Sendable {
  /// The host names that a browser may use; the first one is in the address.
  let hosts: [String]
  /// The secret of the page's address.
  let token = Secret.random()
  let openingCode = OpeningCode()
  let programs = ProgramList()
  let layouts = LayoutStore()
  let links: EditorLinks

  init(port: UInt16, links: EditorLinks) {
    self.links = links
    let names = ["127.0.0.1", "localhost"]
    // Clients omit the port that is the default.
    hosts = names.map { "\($0):\(port)" } + (port == 80 ? names : [])
  }

  var address: String { "http://\(hosts[0])/?token=\(token)" }
  /// The address for the browser of this user, which other users may see.
  var openingAddress: String { "http://\(hosts[0])/open?code=\(openingCode.text)" }

  func isToken(_ words: String) -> Bool { Secret.isEqual(words, token) }
}
