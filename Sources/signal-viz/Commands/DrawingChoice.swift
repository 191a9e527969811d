import ArgumentParser
import SignalAttach
import SignalGraph
import SignalPicture

/// The options that select the part of a graph to draw, and how it is drawn.
struct DrawingChoice: ParsableArguments {
  @Option(
    help:
      "Only nodes upstream or downstream of this: a node's id, name, kind, or location such as Feed.swift:42. May be repeated."
  )
  var focus: [String] = []

  @Option(help: "With --focus: how many edges to follow.")
  var depth: Int?

  @Flag(help: "Draw a cluster around the nodes of each file.")
  var clusterByFile = false

  @Flag(
    help:
      "Values travel from left to right. By default the direction is the one that gives the (first) drawing the better shape."
  )
  var leftToRight = false

  @Flag(help: "Values travel from top to bottom.")
  var topToBottom = false

  @Flag(help: "Also draw nodes that finished or were disposed; JSON always contains them.")
  var ended = false

  @Flag(help: "Draw equal chains one by one, instead of once with their number.")
  var noBundles = false

  @Flag(help: "Draw linear runs of operators as one box.")
  var fold = false

  @Flag(
    help:
      "Draw each operator, however many there are. By default, detail is reduced from \(DrawingOptions().boxLimit ?? 0) boxes on."
  )
  var all = false

  func validate() throws {
    if let depth {
      guard AttachRequest.depths.contains(depth) else {
        throw ValidationError("--depth \(depth) is not possible; give 0 to \(AttachRequest.depths.upperBound) edges.")
      }
      guard !focus.isEmpty else { throw ValidationError("--depth needs --focus: depth counts edges from there.") }
    }
    guard !(leftToRight && topToBottom) else {
      throw ValidationError("--left-to-right and --top-to-bottom exclude each other.")
    }
    guard !(all && fold) else { throw ValidationError("--all draws each operator; --fold draws runs as one box.") }
  }

  /// The part to draw.
  var part: GraphFocus { GraphFocus(focus, depth: depth) }

  /// The drawing options.
  var options: DrawingOptions {
    var options = DrawingOptions(
      direction: leftToRight ? .right : topToBottom ? .down : .fitting, clustersByFile: clusterByFile,
      showsEnded: ended, bundlesFrom: noBundles || all ? nil : 3, foldsLinearRuns: fold,
      boxLimit: all ? nil : DrawingOptions().boxLimit)
    // With `--all` no option shows more.
    options.detailHint = all ? nil : "--all shows each"
    options.endedHint = "--ended shows them"
    return options
  }
}
