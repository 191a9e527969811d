package import SignalTesting

/// A row of the catalogue: an operator or a source of the library, with everything that the checks, the measurements and the documents have to know of it.
package struct OperatorEntry: Sendable, CustomStringConvertible {
  package enum Kind: String, Codable, Sendable {
    /// Stands between a source and a subscriber.
    case `operator`
    /// Stands alone.
    case source
  }

  /// As programs write it, with labels where the name alone could mean another row: `map`, `prefix(untilOutputFrom:)`.
  package let name: String
  package let kind: Kind
  /// Where it is, in `Sources/Signals`.
  package let file: String
  /// How links to its page in the documentation begin.
  package let page: String
  /// The ways to use it that behave differently. All of them go through the laws, the leak suite and the stress.
  package let forms: [OperatorForm]
  /// Further chains for the leak suite: such as do not end with their source, for instance.
  package let chains: [LeakChain]
  /// How a case of a `.marbles` file becomes a signal, by the operator's name in the file. Only for operators that have such cases.
  package let fixtures: [String: FixtureRunner.Build]
  /// What the diagrams of the documentation show, by the call as it is written there.
  package let diagrams: [String: FixtureRunner.Build]
  /// As ``fixtures``, of an operator whose values are signals.
  package let nestedFixtures: [String: FixtureRunner.NestedBuild]
  /// As ``diagrams``, of an operator whose values are signals.
  package let nestedDiagrams: [String: FixtureRunner.NestedBuild]
  /// What the page of costs measures.
  package let costs: [CostSample]

  package init(
    _ name: String, _ kind: Kind = .operator, file: String, page: String? = nil, forms: [OperatorForm] = [],
    chains: [LeakChain] = [],
    fixtures: [String: FixtureRunner.Build] = [:], diagrams: [String: FixtureRunner.Build] = [:],
    nestedFixtures: [String: FixtureRunner.NestedBuild] = [:],
    nestedDiagrams: [String: FixtureRunner.NestedBuild] = [:],
    costs: [CostSample] = []
  ) {
    self.name = name
    self.kind = kind
    self.file = file
    self.page = page ?? "Signal/" + (name.hasSuffix(")") ? String(name.dropLast()) : name + "(")
    self.forms = forms.map { $0.named(name) }
    self.chains = chains
    self.fixtures = fixtures
    self.diagrams = diagrams
    self.nestedFixtures = nestedFixtures
    self.nestedDiagrams = nestedDiagrams
    self.costs = costs.map { $0.named(name) }
  }

  package var description: String { name }

  /// The name without labels.
  package var baseName: String { String(name.prefix { $0.isLetter }) }
}
