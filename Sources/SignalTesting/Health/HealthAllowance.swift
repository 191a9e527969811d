import Signals
import Synchronization

/// The allowances of a health check: rules, and chains by their names.
struct HealthAllowance: Hashable, Sendable {
  /// The rules that are not checked.
  var ignoredRules: Set<String> = []
  /// Names of chains that are not reported.
  var ignoredNames: Set<String> = []
  /// Rules with known findings: the check fails as soon as they have none.
  var allowedRules: Set<String> = []
  /// Names of chains with known faults: the check fails as soon as they have none.
  var allowedNames: Set<String> = []

  /// The allowances that must be needed.
  var needed: Set<Needed> { Set(allowedRules.map(Needed.rule) + allowedNames.map(Needed.chain)) }

  /// An allowance that must be needed.
  enum Needed: Hashable, Sendable {
    case rule(String)
    case chain(String)

    /// The message if it is not needed.
    ///
    /// - Parameter scope: A description of the check's scope.
    func message(in scope: String) -> String {
      switch self {
      case .rule(let name):
        """
        unused allowance "\(name)": the rule finds nothing in \(scope)
          To do: remove the rule from the allowances. If it may find something but need not, name it in ignoring: instead.
        """
      case .chain(let name):
        """
        unused allowance "\(name)": there is no finding for a chain with this name in \(scope)
          To do: remove the name from the allowances. If there may be a finding but need not, name it in ignoringChains: instead.
        """
      }
    }

    var order: (Int, String) {
      switch self {
      case .rule(let name): (0, name)
      case .chain(let name): (1, name)
      }
    }
  }
}

/// The allowances of a suite, or of a parameterized test: at least one case has to need each.
final class HealthAllowances: Sendable {
  /// The allowances of the suites and the test around this.
  @TaskLocal static var current: HealthAllowances?

  private let outer: HealthAllowances?
  private let own: Set<HealthAllowance.Needed>
  private let unused: Mutex<Set<HealthAllowance.Needed>>

  /// - Parameter needed: The allowances here. Those that an outer suite has too are judged there.
  init(_ needed: Set<HealthAllowance.Needed>, inside outer: HealthAllowances?) {
    self.outer = outer
    own = needed.filter { outer?.contains($0) != true }
    unused = Mutex(own)
  }

  private func contains(_ needed: HealthAllowance.Needed) -> Bool {
    own.contains(needed) || outer?.contains(needed) == true
  }

  /// Notes the allowances that a case needed.
  func note(used: Set<HealthAllowance.Needed>) {
    unused.withLock { $0.subtract(used) }
    outer?.note(used: used)
  }

  /// The allowances that no case has needed.
  var remaining: [HealthAllowance.Needed] {
    unused.withLock { $0.sorted { $0.order < $1.order } }
  }
}
