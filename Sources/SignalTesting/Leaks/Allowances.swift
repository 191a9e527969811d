import Signals
import Synchronization
import Testing

/// The names that a suite, or a parameterized test, allows: at least one of its cases has to need each.
final class Allowances: Sendable {
  /// The allowances of the suites and the test around this.
  @TaskLocal static var current: Allowances?

  private let outer: Allowances?
  private let names: Set<String>
  private let unused: Mutex<Set<String>>

  /// - Parameter names: The names allowed here. Names that an outer suite allows too are judged there.
  init(_ names: Set<String>, inside outer: Allowances?) {
    self.outer = outer
    self.names = names.filter { outer?.contains($0) != true }
    unused = Mutex(self.names)
  }

  /// Whether a name is judged here, or further out.
  func contains(_ name: String) -> Bool { names.contains(name) || outer?.contains(name) == true }

  /// Notes the names that a case did not need; it needed all others that it allows.
  func note(allowed: Set<String>, unused: Set<String>) {
    let used = allowed.subtracting(unused)
    self.unused.withLock { $0.subtract(used) }
    outer?.note(allowed: allowed, unused: unused)
  }

  /// Names that no case has needed.
  var remaining: [String] { unused.withLock { $0.sorted() } }

  /// Whether the run is filtered. A suite then does not judge its tests: the one that needs a name may be missing.
  static let isRunFiltered = CommandLine.arguments.contains { argument in
    ["--filter", "--skip"].contains { argument == $0 || argument.hasPrefix($0 + "=") }
  }

  /// The message about a name that a check for growth allows.
  static func growthMessage(_ name: String, in scope: String) -> String {
    """
    unused allowance "\(name)": nothing with this name grows with every round of \(scope)
      To do: remove the name from the allowances. If it may grow but need not, name it in ignoring: instead.
    """
  }

  /// The message about a name.
  static func message(_ name: String, in scope: String) -> String {
    """
    unused allowance "\(name)": nothing with this name is alive at the end of \(scope)
      To do: remove the name from the allowances. If it may stay alive but need not, name it in ignoring: instead.
    """
  }
}
