import Dispatch
import Foundation
import SignalInspector
import Signals

/// A program with faults that a reader of its code would hardly see, beside chains that are as they should be.
///
/// Run it, and let the tool name them: `swift run signal-viz check --name Faults --for 10s`.
@main
struct Faults {
  static func main() async throws {
    let inspector = try await SignalInspector.start()
    let kitchen = Kitchen()
    let faults: [any Fault] = [
      ClosedScreenIsKept(), TokenIsDropped(), HandlerHoldsItsObject(), MixedInputs(), SearchThatNeverStarts(),
      PlaylistThatGrows(), FailureThatNobodyHandles(), ListenerThatComesLate(), QueueThatGrows(), PriceForEachReader(),
      TwoThermometers(), SignThatGoesOut(),
      ReportOnTheMainQueue(), LastStepIsLost(), ScreenThatAppearsAgain(), ClosureThatIsForgotten(),
    ]
    let clock = Signal.interval(every: .milliseconds(50), on: .qos(.userInitiated)).share()
    let bag = DisposeBag()
    for fault in faults { fault.start(clock, in: bag) }
    print("Faults is running; its graph is served at \(inspector.socketPath). Stop it with Ctrl-C.")
    await terminationRequest()
    bag.close()
    kitchen.close()
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

/// A part of the program with one fault.
protocol Fault: Sendable {
  /// Begins to do what the part does, driven by a clock.
  func start(_ clock: Signal<Int>, in bag: DisposeBag)
}
