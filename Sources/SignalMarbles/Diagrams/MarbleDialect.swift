/// The notation in which a diagram is written.
public enum MarbleDialect: String, Hashable, Sendable, CaseIterable {
  /// This library's notation: every event and every group takes one frame.
  ///
  /// A duration is digits (with an optional decimal fraction) directly followed by `us`, `ms`, `s`, `m` or `h`, with
  /// white space or an end of the diagram on both sides. The same characters adjacent to anything else are rejected, so
  /// that no diagram is ambiguous; digits not followed by a unit are values of one digit each.
  case signals
  /// The run mode of the RxJS test scheduler: one character per event, and a group takes as many frames as it has
  /// characters.
  ///
  /// A duration (`ms`, `s`, `m`) needs a space, or the beginning, before it and a space after it; otherwise its
  /// characters are values. `#` has no name. Time counts from `^` itself, even if spaces or durations precede it.
  case rxjs
}

/// The purpose of a diagram, which determines its permitted content.
public enum MarbleRole: Hashable, Sendable {
  /// A source that runs independently of subscribers; `^` is the start of the test.
  case hot
  /// A source that starts again for each subscriber; `{ }` is sent during subscription.
  case cold
  /// The events that a subscriber is expected to receive; `?` stands for any value.
  case expectation
}
