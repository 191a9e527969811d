import Dispatch
import Foundation
import SignalInspector
import Signals

/// A search box without a window: a typist types, results come in pages, a status line ticks.
///
/// Run it and look at it while it runs: `swift run signal-viz render --name SearchBox -o search-box.svg`.
@main
struct SearchBox {
  static func main() async throws {
    let inspector = try await SignalInspector.start()
    let app = App()
    app.changeSettings()
    print("SearchBox is running; its graph is served at \(inspector.socketPath). Stop it with Ctrl-C.")
    await terminationRequest()
    app.close()
    await inspector.stop()
  }

  /// Returns when the user or the system asks the program to stop.
  private static func terminationRequest() async {
    let (requests, continuation) = AsyncStream.makeStream(of: Void.self)
    let sources = [SIGINT, SIGTERM].map { number in
      signal(number, SIG_IGN)
      let source = DispatchSource.makeSignalSource(signal: number, queue: .main)
      source.setEventHandler { continuation.yield() }
      source.resume()
      return source
    }
    for await _ in requests { break }
    for source in sources { source.cancel() }
  }
}
