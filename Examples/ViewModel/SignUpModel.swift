import Signals

/// Says whether a name is free. It belongs to no actor: what it does is asynchronous.
struct AccountService: Sendable {
  private let taken: Set<String> = ["ann", "bob"]

  func isFree(_ name: String) async throws -> Bool {
    await Task.yield()
    return !taken.contains(name)
  }
}

/// What the screen shows line by line. It is not `Sendable`, and need not be: only the main actor has it.
final class Transcript {
  private(set) var lines: [String] = []

  func add(_ line: String) { lines.append(line) }
}

/// What the screen shows.
struct Screen: Sendable, Equatable {
  var name = ""
  var isFree = false
  var password = ""

  var message: String { name.isEmpty ? "" : isFree ? "\(name) is free" : "\(name) is taken" }
  var canSignUp: Bool { isFree && password.count >= 8 }
}

/// The model of a screen on which somebody chooses a name and a password.
///
/// All of it belongs to the main actor. What is asynchronous runs elsewhere, and its results come back.
@MainActor
final class SignUpModel: DisposeBagOwner {
  let disposeBag = DisposeBag()
  private let name = Property(removingDuplicates: "")
  private let password = Property(removingDuplicates: "")
  private let screen = Property(removingDuplicates: Screen())
  private let transcript: Transcript

  init(_ service: AccountService, _ transcript: Transcript) {
    self.transcript = transcript
    name.signal
      // Only the newest name counts: the question about the one before is cancelled.
      .flatMapLatest { name -> Signal<Screen> in
        if name.isEmpty { return .just(Screen()) }
        return .async { Screen(name: name, isFree: try await service.isFree(name)) }
      }
      .combineLatest(password.signal)
      .map { screen, password in Screen(name: screen.name, isFree: screen.isFree, password: password) }
      .subscribeOnMain { [weak self] in
        self?.screen.value = $0
      } onFailure: { error in
        transcript.add("failed: \(error)")
      }
      .store(in: disposeBag)
    screen.changes.map(\.message).removeDuplicates()
      .subscribe(onMainWith: self) { model, message in model.transcript.add(message) }
  }

  /// What somebody types.
  func type(name newName: String? = nil, password newPassword: String? = nil) {
    if let newName { name.value = newName }
    if let newPassword { password.value = newPassword }
  }

  /// Waits until the screen shows what was typed.
  func shown() async throws -> Screen {
    let (name, password) = (name.value, password.value)
    return try await screen.signal.filter { $0.name == name && $0.password == password }.firstValue()
  }
}
