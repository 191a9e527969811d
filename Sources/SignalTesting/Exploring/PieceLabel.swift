/// The description of a work item of an explored order, for a legend.
struct PieceLabel {
  var words: String
  /// The backtrace with its location, symbolicated when the legend is written.
  var trace: CreationTrace?
  /// Whether it is an actor's, which its caller describes better.
  var isOfActor = false

  /// `task 1 resumes Oven.swift:14, in Oven.bake()`.
  var text: String {
    guard let call = trace?.ownCall, let place = trace?.place else { return words }
    let function = call.function.replacing(#/(?:implicit )?closure #\d+ in /#, with: "")
    return "\(words) \(place), in \(function)"
  }
}
