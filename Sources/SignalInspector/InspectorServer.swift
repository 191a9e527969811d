import Dispatch
import FlyingSocks
import Foundation
import Synchronization

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// Accepts clients and answers each on a thread of its own.
///
/// FlyingFox's `HTTPServer` is not used, because it cannot be bounded from outside: it takes request lines, headers
/// and clients without limit, waits for a request and for room to write without limit, and closes without an answer on
/// a malformed request. Its socket layer is used, without the asynchronous part: that runs on the threads of Swift
/// tasks, and those are what may hang in a program that somebody wants to look at.
final class InspectorServer: Sendable {
  private struct State {
    var clients = 0
    var refusals = 0
    var isStopped = false
  }

  private let listener: ListeningSocket
  private let graph: GraphProvider
  private let limits: InspectorLimits
  private let stopSignal: StopSignal
  private let state = Mutex(State())
  private let threads = DispatchGroup()

  init(listener: ListeningSocket, graph: GraphProvider, limits: InspectorLimits) throws {
    self.listener = listener
    self.graph = graph
    self.limits = limits
    self.stopSignal = try StopSignal()
  }

  func run() {
    startThread { $0.acceptClients() }
  }

  func stop() async {
    let isFirst = state.withLock { state in
      defer { state.isStopped = true }
      return !state.isStopped
    }
    if isFirst { stopSignal.send() }
    await withCheckedContinuation { continuation in
      threads.notify(queue: .global()) { continuation.resume() }
    }
    if isFirst {
      listener.close()
      stopSignal.close()
    }
  }

  private func startThread(_ body: @escaping @Sendable (InspectorServer) -> Void) {
    threads.enter()
    let thread = Thread { [self] in
      body(self)
      threads.leave()
    }
    thread.name = "signal-inspector"
    thread.start()
  }

  private func acceptClients() {
    while true {
      switch stopSignal.wait(for: POLLIN, on: listener.socket, until: nil) {
      case .stopped, .hungUp: return
      case .timedOut: continue
      case .ready: break
      }
      do {
        let client = Socket(file: try listener.socket.accept().file)
        admit(client)
      } catch SocketError.blocked {
        continue
      } catch {
        // Most likely no descriptor is left. The waiting client stays ready: look again a little later, do not spin.
        let pause = stopSignal.wait(for: 0, on: listener.socket, until: .now + .milliseconds(100))
        if pause == .stopped || pause == .hungUp { return }
      }
    }
  }

  private enum Admission { case answered, refused, hungUpOn }

  private func admit(_ socket: Socket) {
    let admission: Admission = state.withLock { state in
      if state.clients < limits.clients {
        state.clients += 1
        return .answered
      }
      if state.refusals < limits.refusals {
        state.refusals += 1
        return .refused
      }
      return .hungUpOn
    }
    guard admission != .hungUpOn else {
      try? socket.close()
      return
    }
    startThread { server in
      server.serve(socket, refused: admission == .refused)
      server.state.withLock { state in
        if admission == .refused { state.refusals -= 1 } else { state.clients -= 1 }
      }
      // After the place is free: who sees the end of an answer may ask again at once.
      try? socket.close()
    }
  }

  private func serve(_ socket: Socket, refused: Bool) {
    do {
      try socket.closeOnExecution()
      try socket.setFlags(.nonBlocking)
      #if canImport(Darwin)
        try socket.setValue(true, for: .noSIGPIPE)
      #endif
      let connection = ClientConnection(socket: socket, stopSignal: stopSignal, limits: limits)
      try RequestHandler(connection: connection, graph: graph, limits: limits).answer(refused: refused)
    } catch {
      // The client left or was too slow, or the inspector stops: nobody is left who could be told.
    }
  }
}
