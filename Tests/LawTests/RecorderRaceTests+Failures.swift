import SignalGraph
import SignalRecording
import Signals
import Testing

// No race, but the recorder of the process too: what others may read of it.
extension RecorderRaceTests {
  private enum SignIn: Error {
    case refused(password: String)
    case offline
  }

  private struct Locked: Error {
    var password = "secret"
  }

  /// A case that carries nothing, with words of its own.
  private enum Lost: Error, CustomStringConvertible {
    case connection
    var description: String { "the connection was lost" }
  }

  /// An enumeration that hides what its cases carry.
  private enum Hiding: Error, CustomReflectable, CustomStringConvertible {
    case refused(password: String)
    var customMirror: Mirror { Mirror(self, children: [], displayStyle: .enum) }
    var description: String { "secret" }
  }

  /// All texts that a snapshot has of a failure, after it occurred in each way that is recorded.
  private func texts(of error: any Error) -> Set<String> {
    defer { Introspection.disable() }
    let recorder = Introspection.enable()
    let before = Set(recorder.snapshot().nodes.map(\.id))
    return UnhandledFailure.withHandler({ _ in }) {
      let (source, retried) = (Emitter<Int>(), Emitter<Int>())
      let thrown = source.signal.map { _ -> Int in throw error }.subscribe { _ in }
      let again = retried.signal.map { value in if value == 0 { throw error } }.retry().subscribe { _ in }
      let step = GraphReporter("parse")
      retried.send(0)
      source.send(1)
      source.fail(error)
      step.fail(error)
      defer { withExtendedLifetime((source, retried, thrown, again, step)) {} }
      let snapshot = recorder.snapshot()
      // Tests that run at the same time may be in the graph of the process too.
      let places = Set(snapshot.definitions.filter { $0.fileID == #fileID }.map(\.id))
      let nodes = snapshot.nodes.filter { !before.contains($0.id) && places.contains($0.definition) }
      let failures = nodes.compactMap(\.failure)
      let attempts = nodes.compactMap { $0.attempts?.lastFailure }
      let unhandled = snapshot.definitions.filter { places.contains($0.id) }.compactMap { $0.ends?.lastUnhandled }
      #expect(failures.count == 5)
      #expect(attempts.count == 1)
      #expect(unhandled.count == 1)
      return Set(failures + attempts + unhandled)
    }
  }

  @Test("of a failure in the graph of the process only its type and its case are kept")
  func failuresOfTheProcess() {
    #expect(texts(of: SignIn.refused(password: "secret")) == ["SignIn.refused"])
    #expect(texts(of: SignIn.offline) == ["SignIn.offline"])
    #expect(texts(of: Locked()) == ["Locked"])
    #expect(texts(of: Lost.connection) == ["Lost: the connection was lost"])
    #expect(texts(of: Hiding.refused(password: "secret")) == ["Hiding"])
  }

  @Test("what the program shows of its values it shows of failures too")
  func shownFailures() {
    defer { Introspection.enable().describeValues(nil); Introspection.disable() }
    Introspection.enable().describeValues { $0 is Locked ? nil : String(describing: $0) }
    #expect(texts(of: SignIn.refused(password: "secret")) == ["refused(password: \"secret\")"])
    #expect(texts(of: Locked()) == ["Locked"])
  }
}
