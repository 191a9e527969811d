import Foundation
import SignalAttach
import SignalGraph
import SignalPicture

/// Queries one inspected program by HTTP over its Unix-domain socket.
struct ProgramConnection {
  var socketPath: String
  /// A descriptor that ends each wait when it becomes readable.
  var interruption: Int32?
  /// Whether the program may delay a response according to its processor budget: for repeated queries.
  var isPatient = false
  /// Called repeatedly with the number of bytes received.
  var received: @Sendable (Int) -> Void = { _ in }

  /// Supplies names for sources that have none.
  var names = SourceNames.current

  /// The maximum size of a response. A graph of a million nodes takes less than half of it.
  private static let largestAnswer = 1 << 30
  /// The maximum size of a greeting or of a summary. Anything may listen at a socket, and each one is queried for its
  /// identity.
  private static let largestGreeting = 1 << 16

  /// The program's name and identifier, as far as they are known without a response.
  private var who: String {
    ProcessName(ofSocketAt: socketPath).map { "\($0.words) at `\(socketPath)`" } ?? "The program at `\(socketPath)`"
  }

  /// The program's greeting.
  func hello(within limit: Duration) throws -> Hello {
    let answer = try ask(.hello, within: limit, atMost: Self.largestGreeting)
    guard answer.status != HTTPAnswer.tooManyClients else { throw refusal(answer) }
    guard answer.status == 200, let hello = try? JSONDecoder().decode(Hello.self, from: answer.body) else {
      throw Failure(
        "\(who) sent no SignalInspector handshake; check the socket path.")
    }
    try hello.checkProtocol()
    return hello
  }

  /// The program's graph, or the requested part of it, with names for its sources.
  ///
  /// - Parameter limit: How long the program may be silent. A large graph may take any time while bytes arrive.
  func snapshot(of focus: GraphFocus, within limit: Duration) throws -> GraphSnapshot {
    try snapshotAnswer(of: focus, within: limit)()
  }

  /// The same in two steps.
  ///
  /// - Returns: A closure that parses the received response. Its time depends on the size of the graph, and is not the
  ///   program's.
  func snapshotAnswer(of focus: GraphFocus, within limit: Duration) throws -> () throws -> GraphSnapshot {
    let answer = try ask(.snapshot(focus), within: limit, whileBytesCome: true)
    if answer.status == HTTPAnswer.notFound, names != nil, !focus.texts.isEmpty {
      // The program knows no such name, but its source code may.
      let whole = try snapshot(of: GraphFocus(), within: limit)
      guard let part = try? whole.focused(on: focus) else { throw refusal(answer) }
      return { part }
    }
    guard answer.status == 200 else { throw refusal(answer) }
    return {
      do {
        let graph = try GraphSnapshot(json: answer.body)
        return names?.naming(graph) ?? graph
      } catch {
        throw Failure("\(socketPath): \(error)")
      }
    }
  }

  private func refusal(_ answer: HTTPAnswer) -> Failure {
    let lines = String(decoding: answer.body, as: UTF8.self).split(whereSeparator: \.isNewline)
    let words = lines.joined(separator: " ").displayable(limit: 1_000)
    return Failure("\(who) responded with HTTP status \(answer.status): \(words)")
  }

  /// A summary of the program's graph, with the rate over the given time. A program with an older library is queried
  /// for its graph twice.
  func summary(of time: Duration, within limit: Duration) throws -> GraphSummary {
    let milliseconds = Int(min(time / .milliseconds(1), Double(AttachRequest.summaryTimes.upperBound)))
    let answer = try ask(
      .summary(milliseconds: milliseconds), within: limit + time, atMost: Self.largestGreeting)
    if answer.status == 200, let summary = try? JSONDecoder().decode(GraphSummary.self, from: answer.body) {
      return summary
    }
    guard time > .zero else { return GraphSummary(of: try snapshot(of: GraphFocus(), within: limit)) }
    let before = GraphSummary.Deliveries(in: try snapshot(of: GraphFocus(), within: limit))
    // Safe: this much time is supposed to pass.
    Thread.sleep(forTimeInterval: time / .seconds(1))
    return GraphSummary(of: try snapshot(of: GraphFocus(), within: limit), since: before)
  }

  /// Has the program profile its handlers for the given time. One with an older library does not, and rejects the
  /// request as unknown.
  ///
  /// - Returns: Whether the program supports it.
  @discardableResult
  func trace(for time: Duration, within limit: Duration) throws -> Bool {
    let range = AttachRequest.traceSeconds
    let seconds = Int(exactly: (time / .seconds(1)).rounded(.up)) ?? range.upperBound
    return try ask(.trace(seconds: min(max(seconds, range.lowerBound), range.upperBound)), within: limit).status
      != HTTPAnswer.notFound
  }

  /// Has the program record for a number of seconds from now, and returns what has happened since the event with a
  /// number.
  func events(from number: UInt64?, recordingFor seconds: Int, within limit: Duration) throws -> RecordedEvents {
    let answer = try ask(.events(from: number, seconds: seconds), within: limit)
    guard answer.status != HTTPAnswer.notFound else {
      throw Failure(
        "\(who) cannot be recorded: it is built with an older version of the library. Update it there; `signal-viz why` and `top` work with it."
      )
    }
    guard answer.status == 200 else { throw refusal(answer) }
    guard let events = try? JSONDecoder().decode(RecordedEvents.self, from: answer.body) else {
      throw Failure("\(who) sent a response that is not a list of events.")
    }
    return events
  }

  /// The interval of retries with a program that has too many clients, and the time after which they stop.
  private static let (pause, patience) = (Duration.milliseconds(100), Duration.seconds(2))

  /// Sends a request, and retries for a while if the program has too many clients.
  private func ask(
    _ request: AttachRequest, within limit: Duration, whileBytesCome: Bool = false,
    atMost size: Int = Self.largestAnswer
  ) throws -> HTTPAnswer {
    try checkSocket()
    let (deadline, lastTime) = (ContinuousClock.now + limit, ContinuousClock.now + Self.patience)
    while true {
      let answer = try ask(
        request, within: limit, until: deadline, extendedBy: whileBytesCome ? limit : .zero, atMost: size)
      guard answer.status == HTTPAnswer.tooManyClients, .now < min(deadline, lastTime) else { return answer }
      // Safe: there is no notification of a client's departure.
      Thread.sleep(forTimeInterval: Self.pause / .seconds(1))
    }
  }

  private func ask(
    _ request: AttachRequest, within limit: Duration, until deadline: ContinuousClock.Instant,
    extendedBy extent: Duration, atMost size: Int
  ) throws -> HTTPAnswer {
    let bytes: Data
    do {
      // For interactive use, the program is not to delay its response for its processor budget.
      let haste = isPatient ? "" : "Prefer: wait=0\r\n"
      bytes = try answer(
        to: "GET \(request.target) HTTP/1.0\r\nHost: localhost\r\n\(haste)\r\n", until: deadline,
        extendedBy: extent, atMost: size)
    } catch let interrupted as Interrupted {
      throw interrupted
    } catch let late as TooLate {
      guard late.bytes > 0 else {
        throw Failure("\(who) did not respond within \(limit); it may be stopped or hung.")
      }
      throw Failure(
        "\(who) sent \(AnswerProgress.words(late.bytes)), and then nothing within \(limit); it may be stopped or hung."
      )
    } catch is TooLarge {
      throw Failure("The response of \(who) has no end; check the socket path.")
    } catch {
      throw Failure(
        "\(who) did not respond (\(error)); it may have exited. `signal-viz list` shows running programs."
      )
    }
    guard let answer = HTTPAnswer(bytes) else {
      throw Failure("\(who) sent no HTTP response; check the socket path.")
    }
    return answer
  }

  private struct TooLate: Error {
    /// The number of bytes received.
    var bytes: Int
  }

  private struct TooLarge: Error {}

  /// The error if waiting for the response was interrupted.
  struct Interrupted: Error, CustomStringConvertible {
    let description = "Interrupted before the program responded."
  }

  /// Whether no process listens at the socket any more: the program has ended.
  var isGone: Bool {
    do throws(SystemCallError) {
      try LocalSocket.connected(to: socketPath).close()
      return false
    } catch {
      return [ECONNREFUSED, ENOENT].contains(error.code)
    }
  }

  /// Whether the program has ended, or ends within the given time: while ending it may still accept connections without
  /// responding.
  func ends(within patience: Duration) -> Bool {
    let limit = ContinuousClock.now + patience
    while !isGone {
      guard ContinuousClock.now < limit else { return false }
      poll(nil, 0, 10)
    }
    return true
  }

  /// Sends a request, and returns all that arrives until the program closes the connection.
  ///
  /// - Parameter extent: The time that each received byte extends the deadline to, if that is later.
  private func answer(
    to request: String, until deadline: ContinuousClock.Instant, extendedBy extent: Duration, atMost size: Int
  ) throws -> Data {
    var deadline = deadline
    var answer = Data()
    let socket = try LocalSocket.connected(to: socketPath)
    defer { socket.close() }
    func wait(for event: LocalSocket.Event) throws {
      // A program that has ended may have responded before, so what it sent is read first.
      switch socket.wait(for: event, until: deadline, interruptedBy: interruption) {
      case .timedOut: throw TooLate(bytes: answer.count)
      case .interrupted: throw Interrupted()
      default: break
      }
    }
    try Array(request.utf8).withUnsafeBytes { bytes in
      var rest = bytes[...]
      while !rest.isEmpty {
        let count = try socket.write(UnsafeRawBufferPointer(rebasing: rest))
        rest = rest.dropFirst(count)
        if count == 0 { try wait(for: .writable) }
      }
    }
    while true {
      guard let bytes = try socket.read(atMost: 65_536) else {
        try wait(for: .readable)
        continue
      }
      if bytes.isEmpty { return answer }
      answer += bytes
      guard answer.count <= size else { throw TooLarge() }
      deadline = max(deadline, .now + extent)
      received(answer.count)
    }
  }

  private func checkSocket() throws {
    guard socketPath.utf8.count <= SocketFile.pathLimit else {
      throw Failure(
        "The socket path `\(socketPath)` has \(socketPath.utf8.count) bytes; the system allows \(SocketFile.pathLimit)."
      )
    }
    var status = stat()
    guard stat(socketPath, &status) == 0 else {
      throw Failure(
        "There is no socket `\(socketPath)`: \(SystemMessage.last). `signal-viz list` shows running programs.")
    }
    guard status.st_mode & S_IFMT == S_IFSOCK else {
      throw Failure("`\(socketPath)` is not a socket; `signal-viz list` shows the sockets of running programs.")
    }
  }
}
