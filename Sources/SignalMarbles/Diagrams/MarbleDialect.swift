/// The notation in which a diagram is written.
public enum MarbleDialect: String, Hashable, Sendable, CaseIterable {
  /// This library's notation: every event and every group takes one frame.
  ///
  /// A duration is digits (with an optional decimal fraction) directly followed by `us`, `ms`, `s`, `m` or `h`, with white
  /// space or an end of the diagram on both sides. The same characters touching anything else are rejected, so that no
  /// diagram can be read in two ways; digits not followed by a unit are values of one digit each.
  case signals
  /// The run mode of the RxJS test scheduler: one character per event, and a group takes as many frames as it has
  /// characters.
  ///
  /// A duration (`ms`, `s`, `m`) needs a space, or the beginning, before it and a space behind it; otherwise its characters
  /// are values. `#` has no name. Time counts from `^` itself, also where spaces or durations precede it.
  case rxjs
}

/// What a diagram is used for, which decides what it may contain.
public enum MarbleRole: Hashable, Sendable {
  /// A source that runs on its own; `^` is the moment at which the test starts.
  case hot
  /// A source that starts anew for every subscriber; `{ }` is sent inside subscribe.
  case cold
  /// What a subscriber is expected to see; `?` stands for any value.
  case expectation
}
