// What the wrong chains of this folder have in common.
import Signals

struct User: Sendable, Equatable {
  var id = 0
  var name = ""
  var nick: String?
  var age = 0
}

final class Screen: Sendable {
  func show(_ text: String) {}
}

let users = Emitter<User>()
let texts = Emitter<String>()
let numbers = Property(0)
let doubles = Emitter<Double>()

func search(_ text: String) -> Signal<[User]> { .never() }
func check(_ age: Int) throws {}
