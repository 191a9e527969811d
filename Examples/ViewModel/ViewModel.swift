// A view model on the main actor, in Swift 6 mode.
//
//   swift run view-model

@main
@MainActor
struct ViewModel {
  static func main() async throws {
    let transcript = Transcript()
    let model = SignUpModel(AccountService(), transcript)
    for name in ["ann", "carl"] {
      model.type(name: name)
      print(try await model.shown().message)
    }
    for password in ["secret", "secret and long"] {
      model.type(password: password)
      print(try await model.shown().canSignUp ? "can sign up" : "cannot sign up")
    }
    print("shown: " + transcript.lines.joined(separator: ", "))
  }
}
