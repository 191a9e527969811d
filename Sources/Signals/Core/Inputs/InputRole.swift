/// The purpose of an operator's input.
@usableFromInline
enum InputRole: Sendable {
  /// Its values are passed on, or transformed.
  case values
  /// Its values only trigger, or accompany those of another input.
  case trigger
  /// Its newest value is stored until another input needs it.
  case sampled
  /// The operator created it while it ran.
  case inner
  /// Its values go to a scheduler.
  case hop
}
