/// What a work item of an explored order is, for a legend.
struct PieceLabel {
  var words: String
  /// The calls that say where, looked up when the legend is written.
  var trace: CreationTrace?
  /// Whether it is an actor's, of which the caller says more.
  var isOfActor = false

  /// `task 1 resumes Oven.swift:14, in Oven.bake()`.
  var text: String {
    guard let call = trace?.ownCall, let place = trace?.place else { return words }
    let function = call.function.replacing(#/(?:implicit )?closure #\d+ in /#, with: "")
    return "\(words) \(place), in \(function)"
  }
}
