import Testing

@testable import SignalInspector
@testable import SignalRecording

@Suite("shown values") struct ShownValuesTests {
  private struct Password: Sendable { var text = "secret" }
  private struct Login: Sendable {
    var user = "ada"
    var password: Password? = Password()
  }
  private enum Step: Sendable {
    case start
    case typed(Password)
  }
  private final class Vault: Sendable {
    let password = Password()
  }

  /// The closure of the article "Looking at a program".
  private let words =
    ShownValues.redacted { value in value is Password ? nil : String(describing: value) }.describe ?? { _ in nil }

  @Test("a part that is hidden hides the whole") func parts() {
    #expect(words(Password()) == nil)
    #expect(words(("ada", Password())) == nil)
    #expect(words(Login()) == nil)
    #expect(words([Password()]) == nil)
    #expect(words(["ada": Password()]) == nil)
    #expect(words(Optional(Password())) == nil)
    #expect(words(Step.typed(Password())) == nil)
    #expect(words([[("ada", [Login()])]]) == nil)
    #expect(words(Result<Password, any Error>.success(Password())) == nil)
  }

  @Test("what has no such part is shown") func plain() {
    #expect(words("ada") == "ada")
    #expect(words(("ada", 3)) == "(\"ada\", 3)")
    #expect(words(Login(password: nil))?.contains("ada") == true)
    #expect(words(Step.start) == "start")
    #expect(words([1, 2]) == "[1, 2]")
  }

  @Test("an object is asked about, not what it holds") func objects() {
    #expect(words(Vault()) != nil)
    let hiding = ShownValues.redacted { $0 is Vault ? nil : "\($0)" }.describe
    #expect(hiding?((1, Vault())) == nil)
  }

  @Test("of what is too large or too deep nothing is shown") func bounds() {
    #expect(words(Array(repeating: 1, count: 1_000)) != nil)
    #expect(words(Array(repeating: 1, count: 1_001)) == nil)
    indirect enum Chain: Sendable { case end, link(Chain) }
    var chain = Chain.end
    for _ in 0..<100 { chain = .link(chain) }
    #expect(words(chain) == nil)
  }

  @Test("an inspector that cannot start does not decide") func failedStart() async throws {
    let directory = try TemporaryDirectory()
    let inspector = try await SignalInspector.start(in: directory.sockets)
    await #expect(throws: InspectorError.self) {
      try await SignalInspector.start(in: directory.sockets, values: .only { _ in "of the second" })
    }
    #expect(Introspection.enable().valueDescription?(1) != "of the second")
    await inspector.stop()
  }

  @Test("a closure that names what may be shown is asked about the whole alone") func only() {
    let words = ShownValues.only { ($0 as? Login)?.user }.describe
    #expect(words?(Login()) == "ada")
    #expect(words?(("ada", Login())) == nil)
    #expect(words?("ada") == nil)
  }
}
