import FlyingFox
import FlyingSocks
import Foundation
import SignalAttach
import SignalGraph

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// Asks one inspected program, by HTTP over its Unix-domain socket.
struct ProgramConnection {
  var socketPath: String

  /// The program's greeting.
  func hello(within limit: Duration) async throws -> Hello {
    let body = try await get(.hello, within: limit)
    let hello: Hello
    do {
      hello = try JSONDecoder().decode(Hello.self, from: body)
    } catch {
      throw Failure(
        "The program at `\(socketPath)` gave no greeting of SignalInspector; is it another program's socket?")
    }
    try hello.checkProtocol()
    return hello
  }

  /// The program's graph.
  func snapshot(within limit: Duration) async throws -> GraphSnapshot {
    let body = try await get(.snapshot(SnapshotFilter()), within: limit)
    do {
      return try GraphSnapshot(json: body)
    } catch {
      throw Failure("\(socketPath): \(error)")
    }
  }

  private func get(_ request: AttachRequest, within limit: Duration) async throws -> Data {
    try checkSocket()
    let path = socketPath
    let answer: (status: Int, body: Data)
    do {
      answer = try await withThrowingTaskGroup(of: (status: Int, body: Data)?.self) { group in
        group.addTask {
          var client = HTTPClient()
          let question = HTTPRequest(
            method: .GET, version: .http11, path: request.path.rawValue, query: [],
            headers: [.host: "localhost", .connection: "close"], body: Data())
          let response = try await client.sendHTTPRequest(question, to: sockaddr_un.unix(path: path))
          return (response.statusCode.code, try await response.bodyData)
        }
        group.addTask {
          // Real time, as it is another process that is waited for; the question ends this sleep when it is answered first.
          try await Task.sleep(for: limit)
          return nil
        }
        defer { group.cancelAll() }
        guard let first = try await group.next(), let answer = first else {
          throw Failure("The program at `\(path)` did not answer within \(limit); is it stopped or hung?")
        }
        return answer
      }
    } catch let failure as Failure {
      throw failure
    } catch {
      throw Failure(
        "The program at `\(path)` did not answer (\(error)); it may have ended. `signal-viz list` shows what runs.")
    }
    guard answer.status == 200 else {
      let words = String(decoding: answer.body.prefix(200), as: UTF8.self).filter { !$0.isNewline }
      throw Failure(
        "The program at `\(path)` refused \(request.path.rawValue) with HTTP status \(answer.status): \(words)")
    }
    return answer.body
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
