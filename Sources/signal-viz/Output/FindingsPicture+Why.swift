import SignalFindings
import SignalGraph
import SignalPicture

extension FindingsPicture {
  /// A drawing of why values reached some nodes, or did not: the paths upstream with their sources, numbered along the
  /// latest cause, and an explanation for each.
  ///
  /// - Parameter place: The text for a location.
  init(of explanations: [Explanation], in graph: GraphSnapshot, place: (Place) -> String) {
    let view = GraphView(graph)
    let ways = explanations.flatMap { $0.steps.map(\.node) + $0.trails.flatMap { $0.hops.map(\.node) } }
    // Includes sends by handlers, the only input of an emitter, and what the handlers in question send.
    var beside = ways.flatMap { view.inputs[$0] ?? [] }.map(\.source)
    beside += ways.flatMap { view.feedbackInputs[$0] ?? [] }.map(\.source)
    for explanation in explanations {
      guard let first = explanation.steps.first else { continue }
      beside += (view.feedbackOutputs[first.node] ?? []).map(\.target)
    }
    part = graph.part(of: Set(ways + beside).filter { view.nodes[$0] != nil })
    options = DrawingOptions()
    for explanation in explanations {
      guard let first = explanation.steps.first else { continue }
      for (index, hop) in (explanation.trails.first?.hops ?? []).enumerated() {
        let beginning = hop.beginning.map { ", \($0)" } ?? ""
        let time = index == 0 ? "first" : hop.waited < 0.000_05 ? "at once" : "+" + Seconds(hop.waited).words
        options.marks.append(
          PictureMark(
            nodes: [hop.node],
            words: "\(time), on \(hop.thread): \(hop.title)\(beginning) (cause \(hop.cause))",
            place: hop.place.map(place) ?? "", remedy: "", isError: false))
      }
      let wait = explanation.wait.map { " (\($0.words))" } ?? ""
      // Not a number of the list: those are the hops.
      options.headings.append(
        "\(first.title) \(explanation.hasFired ? "fired" : "did not fire"): \(explanation.reason)\(wait)")
      guard let stop = explanation.steps.first(where: { $0.node == explanation.obstacle }) else { continue }
      options.marks.append(
        PictureMark(
          nodes: [stop.node], words: "values stop here", place: stop.place.map(place) ?? "", remedy: "", isError: true))
    }
  }
}
