import Foundation
import SignalAttach
import SignalGraph
import SignalPicture

/// Asks one inspected program, by HTTP over its Unix-domain socket.
struct ProgramConnection {
  var socketPath: String
  /// What ends each wait when it can be read from.
  var interruption: Int32?
  /// Whether the program may let an answer wait until earlier ones are paid for: for who asks again and again.
  var isPatient = false
  /// Is told how many bytes have come, again and again.
  var received: @Sendable (Int) -> Void = { _ in }

  /// What knows names for sources that have none.
  var names = SourceNames.current

  /// How much an answer may be. A million nodes are less than half of it.
  private static let largestAnswer = 1 << 30
  /// How much a greeting or a few numbers may be. Anything may listen at a socket, and every one is asked who it is.
  private static let largestGreeting = 1 << 16

  /// Which program it is: by its name and identifier, as far as these can be told without its answer.
  private var who: String {
    ProcessName(ofSocketAt: socketPath).map { "\($0.words) at `\(socketPath)`" } ?? "The program at `\(socketPath)`"
  }

  /// The program's greeting.
  func hello(within limit: Duration) throws -> Hello {
    let answer = try ask(.hello, within: limit, atMost: Self.largestGreeting)
    guard answer.status != HTTPAnswer.tooManyClients else { throw refusal(answer) }
    guard answer.status == 200, let hello = try? JSONDecoder().decode(Hello.self, from: answer.body) else {
      throw Failure(
        "\(who) gave no greeting of SignalInspector; is it another program's socket?")
    }
    try hello.checkProtocol()
    return hello
  }

  /// The program's graph, or the part of it that is wanted, with names for its sources.
  ///
  /// - Parameter limit: How long the program may be silent. A large graph takes as long as it takes, while bytes come.
  func snapshot(of focus: GraphFocus, within limit: Duration) throws -> GraphSnapshot {
    try snapshotAnswer(of: focus, within: limit)()
  }

  /// The same, in two steps.
  ///
  /// - Returns: Reads the answer that has come. That takes as long as the graph is large, but not the program's time.
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
    return Failure("\(who) refused with HTTP status \(answer.status): \(words)")
  }

  /// A few numbers of the program's graph, with the rate of so long from now. One with an older library is asked for its graph twice.
  func summary(of time: Duration, within limit: Duration) throws -> GraphSummary {
    let milliseconds = Int(min(time / .milliseconds(1), Double(AttachRequest.summaryTimes.upperBound)))
    let answer = try ask(
      .summary(milliseconds: milliseconds), within: limit + time, atMost: Self.largestGreeting)
    if answer.status == 200, let summary = try? JSONDecoder().decode(GraphSummary.self, from: answer.body) {
      return summary
    }
    guard time > .zero else { return GraphSummary(of: try snapshot(of: GraphFocus(), within: limit)) }
    let before = GraphSummary.Deliveries(in: try snapshot(of: GraphFocus(), within: limit))
    // Safe: to let that much time pass is what was asked for.
    Thread.sleep(forTimeInterval: time / .seconds(1))
    return GraphSummary(of: try snapshot(of: GraphFocus(), within: limit), since: before)
  }

  /// Lets the program note what its handlers do, for so long. One with an older library does not, and answers that it knows no such question.
  ///
  /// - Returns: Whether it does.
  @discardableResult
  func trace(for time: Duration, within limit: Duration) throws -> Bool {
    let range = AttachRequest.traceSeconds
    let seconds = Int(exactly: (time / .seconds(1)).rounded(.up)) ?? range.upperBound
    return try ask(.trace(seconds: min(max(seconds, range.lowerBound), range.upperBound)), within: limit).status
      != HTTPAnswer.notFound
  }

  /// Lets the program record what happens, for so many seconds from now, and asks for what has happened from an event on.
  func events(from number: UInt64?, recordingFor seconds: Int, within limit: Duration) throws -> RecordedEvents {
    let answer = try ask(.events(from: number, seconds: seconds), within: limit)
    guard answer.status != HTTPAnswer.notFound else {
      throw Failure(
        "\(who) cannot be recorded: it is built with an older version of the library. Update it there; `signal-viz why` and `top` look at it as it is."
      )
    }
    guard answer.status == 200 else { throw refusal(answer) }
    guard let events = try? JSONDecoder().decode(RecordedEvents.self, from: answer.body) else {
      throw Failure("\(who) gave an answer that is no list of events.")
    }
    return events
  }

  /// How long to wait before a program is asked again that has too many clients, and for how long to ask again.
  private static let (pause, patience) = (Duration.milliseconds(100), Duration.seconds(2))

  /// Asks, and for a while asks again while the program has too many clients.
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
      // Safe: nothing says when a client has left.
      Thread.sleep(forTimeInterval: Self.pause / .seconds(1))
    }
  }

  private func ask(
    _ request: AttachRequest, within limit: Duration, until deadline: ContinuousClock.Instant,
    extendedBy extent: Duration, atMost size: Int
  ) throws -> HTTPAnswer {
    let bytes: Data
    do {
      // Where somebody waits for it, the program is not to make it wait until earlier answers are paid for.
      let haste = isPatient ? "" : "Prefer: wait=0\r\n"
      bytes = try answer(
        to: "GET \(request.target) HTTP/1.0\r\nHost: localhost\r\n\(haste)\r\n", until: deadline,
        extendedBy: extent, atMost: size)
    } catch let interrupted as Interrupted {
      throw interrupted
    } catch let late as TooLate {
      guard late.bytes > 0 else {
        throw Failure("\(who) did not answer within \(limit); is it stopped or hung?")
      }
      throw Failure(
        "\(who) sent \(AnswerProgress.words(late.bytes)), and then nothing within \(limit); is it stopped or hung?"
      )
    } catch is TooLarge {
      throw Failure("The answer of \(who) has no end; is it another program's socket?")
    } catch {
      throw Failure(
        "\(who) did not answer (\(error)); it may have ended. `signal-viz list` shows what runs."
      )
    }
    guard let answer = HTTPAnswer(bytes) else {
      throw Failure("\(who) gave no answer of HTTP; is it another program's socket?")
    }
    return answer
  }

  private struct TooLate: Error {
    /// How many bytes had come.
    var bytes: Int
  }

  private struct TooLarge: Error {}

  /// Somebody does not want to wait for the answer any more.
  struct Interrupted: Error, CustomStringConvertible {
    let description = "Ended before the program had answered."
  }

  /// Whether nobody listens at the socket any more: the program has ended.
  var isGone: Bool {
    do throws(SystemCallError) {
      try LocalSocket.connected(to: socketPath).close()
      return false
    } catch {
      return [ECONNREFUSED, ENOENT].contains(error.code)
    }
  }

  /// Whether the program has ended, or ends within a moment: while it ends it may still take connections, and answers none.
  func ends(within patience: Duration) -> Bool {
    let limit = ContinuousClock.now + patience
    while !isGone {
      guard ContinuousClock.now < limit else { return false }
      poll(nil, 0, 10)
    }
    return true
  }

  /// Sends a request, and returns all that comes until the program ends the connection.
  ///
  /// - Parameter extent: How long it may last from each byte on, if that is longer.
  private func answer(
    to request: String, until deadline: ContinuousClock.Instant, extendedBy extent: Duration, atMost size: Int
  ) throws -> Data {
    var deadline = deadline
    var answer = Data()
    let socket = try LocalSocket.connected(to: socketPath)
    defer { socket.close() }
    func wait(for event: LocalSocket.Event) throws {
      // A program that left may have answered before: what it sent is read first.
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
      throw Failure("There is no socket `\(socketPath)`: \(SystemMessage.last). `signal-viz list` shows what runs.")
    }
    guard status.st_mode & S_IFMT == S_IFSOCK else {
      throw Failure("`\(socketPath)` is not a socket; `signal-viz list` shows the sockets of running programs.")
    }
  }
}
