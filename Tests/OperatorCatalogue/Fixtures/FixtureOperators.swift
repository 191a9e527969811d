package import SignalTesting
import Signals

extension OperatorCatalogue {
  /// Runs the cases of `.marbles` files.
  package static let fixtureRunner = FixtureRunner(operators: fixtures, nestedOperators: nestedFixtures) {
    value, fixture in
    // The reference's own timeout error is this library's.
    guard value == .string("$timeout"), case .integer(let milliseconds) = fixture.arguments["eachMs"] else {
      return FixtureError(value)
    }
    return TimeoutError(interval: .milliseconds(milliseconds))
  }

  private static let fixtures: [String: FixtureRunner.Build] =
    all.map(\.fixtures).reduce(into: ["identity": { try $0.source() }]) { $0.merge($1) { $1 } }

  private static let nestedFixtures: [String: FixtureRunner.NestedBuild] =
    all.map(\.nestedFixtures).reduce(into: [:]) { $0.merge($1) { $1 } }
}
