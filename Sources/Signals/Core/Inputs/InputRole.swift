/// What an operator has one of its inputs for.
@usableFromInline
enum InputRole: Sendable {
  /// Its values are passed on, or made into others.
  case values
  /// Its values only say when, or go along with those of another input.
  case trigger
  /// The newest of its values is kept until another input asks for it.
  case sampled
  /// The operator made it while it ran.
  case inner
  /// Its values go to a scheduler.
  case hop
}
