import SignalPicture

/// The failures of a marble test's checks, before they are reported: consequences of a failure are reported with it, so
/// that one error is one failure.
final class MarbleFailures {
  /// The relation of a failure to others of the same test.
  enum Kind {
    /// The reason for missing events: an error was thrown, or code left virtual time.
    case reason
    /// A difference.
    case difference
    /// A consequence of a difference: a source was not subscribed to.
    case consequence
  }

  private struct Failure {
    var kind: Kind
    var message: String
    var source: MarbleSource
    var compiledSource: MarbleSource?
    var picture: () -> MarblePicture?
  }

  private var failures: [Failure] = []

  /// Adds a failure; see ``report(_:at:else:picture:)``.
  func add(
    _ kind: Kind, _ message: String, at source: MarbleSource, else compiledSource: MarbleSource? = nil,
    picture: @escaping () -> MarblePicture? = { nil }
  ) {
    failures.append(
      Failure(kind: kind, message: message, source: source, compiledSource: compiledSource, picture: picture))
  }

  /// Fails the running test with all failures.
  func report() {
    for failure in joined() {
      SignalTesting.report(
        failure.message, at: failure.source, else: failure.compiledSource, picture: failure.picture)
    }
    failures = []
  }

  /// Each reason, the first one with the differences and consequences; without a reason the differences, the first with
  /// its consequences; without either, all.
  private func joined() -> [Failure] {
    let main: Kind? = [.reason, .difference].first { kind in failures.contains { $0.kind == kind } }
    guard let main, let first = failures.firstIndex(where: { $0.kind == main }) else { return failures }
    var combined = failures[first]
    let rest = failures.filter { $0.kind != main }
    for failure in rest {
      let place = "\(failure.source.fileName):\(failure.source.line)"
      combined.message +=
        failure.kind == .difference
        ? "\n\nDifferences that may follow from that, at \(place):\n\(failure.message)"
        : "\n\nThis may follow from that, at \(place): \(failure.message)"
    }
    if main == .reason, let picture = rest.first(where: { $0.kind == .difference })?.picture {
      combined.picture = picture
    }
    return failures.indices.filter { failures[$0].kind == main }.map { $0 == first ? combined : failures[$0] }
  }
}
