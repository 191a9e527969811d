import Signals
import Synchronization

/// What a check of health lets pass: rules, and chains by their names.
struct HealthAllowance: Hashable, Sendable {
  /// The rules that are not asked.
  var ignoredRules: Set<String> = []
  /// Names of chains that are not reported.
  var ignoredNames: Set<String> = []
  /// Rules that are known to find something: the check fails as soon as they do not.
  var allowedRules: Set<String> = []
  /// Names of chains that are known to be faulty: the check fails as soon as they are not.
  var allowedNames: Set<String> = []

  /// What has to be needed.
  var needed: Set<Needed> { Set(allowedRules.map(Needed.rule) + allowedNames.map(Needed.chain)) }

  /// Something that is allowed and has to be needed.
  enum Needed: Hashable, Sendable {
    case rule(String)
    case chain(String)

    /// The message when it is not needed.
    ///
    /// - Parameter scope: What was checked.
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

/// What the cases of a suite, or of a test with parameters, are allowed: at least one of them has to need each.
final class HealthAllowances: Sendable {
  /// That of the suites and the test around this.
  @TaskLocal static var current: HealthAllowances?

  private let outer: HealthAllowances?
  private let own: Set<HealthAllowance.Needed>
  private let unused: Mutex<Set<HealthAllowance.Needed>>

  /// - Parameter needed: What is allowed here. What is allowed further out too is judged there.
  init(_ needed: Set<HealthAllowance.Needed>, inside outer: HealthAllowances?) {
    self.outer = outer
    own = needed.filter { outer?.contains($0) != true }
    unused = Mutex(own)
  }

  private func contains(_ needed: HealthAllowance.Needed) -> Bool {
    own.contains(needed) || outer?.contains(needed) == true
  }

  /// Notes what a case needed.
  func note(used: Set<HealthAllowance.Needed>) {
    unused.withLock { $0.subtract(used) }
    outer?.note(used: used)
  }

  /// What no case has needed.
  var remaining: [HealthAllowance.Needed] {
    unused.withLock { $0.sorted { $0.order < $1.order } }
  }
}
