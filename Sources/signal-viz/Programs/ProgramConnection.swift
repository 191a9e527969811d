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

  /// The program's greeting.
  func hello(within limit: Duration) throws -> Hello {
    let answer = try ask(.hello, within: limit)
    guard answer.status != HTTPAnswer.tooManyClients else { throw refusal(answer) }
    guard answer.status == 200, let hello = try? JSONDecoder().decode(Hello.self, from: Data(answer.body)) else {
      throw Failure(
        "The program at `\(socketPath)` gave no greeting of SignalInspector; is it another program's socket?")
    }
    try hello.checkProtocol()
    return hello
  }

  /// The program's graph, or the part of it that is wanted.
  func snapshot(of focus: GraphFocus, within limit: Duration) throws -> GraphSnapshot {
    let answer = try ask(.snapshot(focus), within: limit)
    guard answer.status == 200 else { throw refusal(answer) }
    do {
      return try GraphSnapshot(json: Data(answer.body))
    } catch {
      throw Failure("\(socketPath): \(error)")
    }
  }

  private func refusal(_ answer: HTTPAnswer) -> Failure {
    let lines = String(decoding: answer.body, as: UTF8.self).split(whereSeparator: \.isNewline)
    let words = lines.joined(separator: " ").displayable(limit: 1_000)
    return Failure("The program at `\(socketPath)` refused with HTTP status \(answer.status): \(words)")
  }

  /// A few numbers of the program's graph, with the rate of so long from now. One with an older library is asked for its graph twice.
  func summary(of time: Duration, within limit: Duration) throws -> GraphSummary {
    let milliseconds = Int(min(time / .milliseconds(1), Double(AttachRequest.summaryTimes.upperBound)))
    let answer = try ask(.summary(milliseconds: milliseconds), within: limit + time)
    if answer.status == 200, let summary = try? JSONDecoder().decode(GraphSummary.self, from: Data(answer.body)) {
      return summary
    }
    guard time > .zero else { return GraphSummary(of: try snapshot(of: GraphFocus(), within: limit)) }
    let before = GraphSummary.Deliveries(in: try snapshot(of: GraphFocus(), within: limit))
    // Safe: to let that much time pass is what was asked for.
    Thread.sleep(forTimeInterval: time / .seconds(1))
    return GraphSummary(of: try snapshot(of: GraphFocus(), within: limit), since: before)
  }

  /// Lets the program note what its handlers do, for so long. One with an older library does not, and answers that it knows no such question.
  func trace(for time: Duration, within limit: Duration) throws {
    let range = AttachRequest.traceSeconds
    let seconds = Int(exactly: (time / .seconds(1)).rounded(.up)) ?? range.upperBound
    _ = try ask(.trace(seconds: min(max(seconds, range.lowerBound), range.upperBound)), within: limit)
  }

  /// How long to wait before a program is asked again that has too many clients, and for how long to ask again.
  private static let (pause, patience) = (Duration.milliseconds(100), Duration.seconds(2))

  /// Asks, and for a while asks again while the program has too many clients.
  private func ask(_ request: AttachRequest, within limit: Duration) throws -> HTTPAnswer {
    try checkSocket()
    let (deadline, lastTime) = (ContinuousClock.now + limit, ContinuousClock.now + Self.patience)
    while true {
      let answer = try ask(request, within: limit, until: deadline)
      guard answer.status == HTTPAnswer.tooManyClients, .now < min(deadline, lastTime) else { return answer }
      // Safe: nothing says when a client has left.
      Thread.sleep(forTimeInterval: Self.pause / .seconds(1))
    }
  }

  private func ask(
    _ request: AttachRequest, within limit: Duration, until deadline: ContinuousClock.Instant
  ) throws -> HTTPAnswer {
    let bytes: [UInt8]
    do {
      // Somebody waits for it: the program is not to make it wait until earlier answers are paid for.
      bytes = try answer(
        to: "GET \(request.target) HTTP/1.0\r\nHost: localhost\r\nPrefer: wait=0\r\n\r\n", until: deadline)
    } catch let interrupted as Interrupted {
      throw interrupted
    } catch is TooLate {
      throw Failure("The program at `\(socketPath)` did not answer within \(limit); is it stopped or hung?")
    } catch {
      throw Failure(
        "The program at `\(socketPath)` did not answer (\(error)); it may have ended. `signal-viz list` shows what runs."
      )
    }
    guard let answer = HTTPAnswer(bytes) else {
      throw Failure("The program at `\(socketPath)` gave no answer of HTTP; is it another program's socket?")
    }
    return answer
  }

  private struct TooLate: Error {}

  /// Somebody does not want to wait for the answer any more.
  struct Interrupted: Error {}

  /// Whether nobody listens at the socket any more: the program has ended.
  var isGone: Bool {
    do throws(SystemCallError) {
      try LocalSocket.connected(to: socketPath).close()
      return false
    } catch {
      return [ECONNREFUSED, ENOENT].contains(error.code)
    }
  }

  /// Sends a request, and returns all that comes until the program ends the connection.
  private func answer(to request: String, until deadline: ContinuousClock.Instant) throws -> [UInt8] {
    let socket = try LocalSocket.connected(to: socketPath)
    defer { socket.close() }
    func wait(for event: LocalSocket.Event) throws {
      // A program that left may have answered before: what it sent is read first.
      switch socket.wait(for: event, until: deadline, interruptedBy: interruption) {
      case .timedOut: throw TooLate()
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
    var answer: [UInt8] = []
    while true {
      guard let bytes = try socket.read(atMost: 65_536) else {
        try wait(for: .readable)
        continue
      }
      if bytes.isEmpty { return answer }
      answer += bytes
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
