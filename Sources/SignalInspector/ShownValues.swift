/// Which values of the program an inspector shows.
///
/// None, unless the program says so: values may be passwords, messages, names. Whoever may look at the program (see ``SignalInspector``) then reads the
/// last value of each node as text, and so does who gets a snapshot or a picture that they keep. Values are put into words only while somebody asks what
/// handlers do, as `signal-viz why` and `signal-viz check` do, and at most 80 characters of each are kept.
///
/// To put a large value into words may take longer than all that the program does with it. So it is done at a bounded pace: after the
/// first milliseconds it takes at most one hundredth of a core for one place in a chain, and one twentieth for all of them. The value that is shown is then
/// the last one, if values are short; where large ones come often it may be an earlier one, and says so: `(earlier)`. The time is not counted as that of a
/// handler. No value is kept for it: each is freed when it would be without an inspector.
///
/// ```swift
/// import SignalInspector
///
/// struct Password {}
///
/// try await SignalInspector.start(
///   values: .redacted { value in
///     value is Password ? nil : String(describing: value)
///   })
/// ```
public struct ShownValues: Sendable {
  /// Puts a value into words; nil where none are shown.
  let describe: (@Sendable (any Sendable) -> String?)?

  /// No value is shown.
  public static let none = ShownValues(describe: nil)

  /// Each value is shown, as `String(describing:)` has it.
  public static let all = ShownValues { String(describing: $0) }

  /// What a closure makes of a value is shown.
  ///
  /// - Parameter describe: Puts a value into words, or returns `nil` for one that is not to be shown. It is called on the thread on which the value comes, while
  ///   the value is on its way: so it should be short. It is not called for each value where it takes long.
  /// - Returns: The rule.
  public static func redacted(_ describe: @escaping @Sendable (any Sendable) -> String?) -> ShownValues {
    ShownValues(describe: describe)
  }
}
