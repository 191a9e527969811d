import Foundation
import SignalGraph
import SignalPicture

/// The view of a program that a live page requests.
struct PageView: Hashable, Sendable {
  /// The program, identified by its socket's name.
  var program = ""
  /// Limits the view to what is upstream or downstream of the nodes that this text selects; empty for the whole graph.
  var focus = ""
  /// Limits the view to the nodes that match this search; empty for the whole graph.
  var filter = ""
  /// The keys of opened boxes.
  var opened: [String] = []
  /// Whether nodes that finished or were disposed are drawn.
  var showsEnded = false
  /// Whether each node is drawn, as far as possible.
  var showsAll = false
  /// The number of boxes from which on less detail is drawn.
  var boxLimit = mostBoxes

  /// The number of boxes from which on less detail is drawn, in a window of any size.
  static let mostBoxes = DrawingOptions().boxLimit ?? 80
  /// The maximum number of nodes up to which each is drawn, if all are requested.
  static let largest = 3_000
  /// The number of nodes drawn individually when a box is opened.
  static let openLimit = 200

  init(_ query: PageQuery) {
    program = query["program"] ?? ""
    focus = query["focus"] ?? ""
    filter = query["filter"] ?? ""
    opened = query.all("open")
    showsEnded = query["ended"] == "1"
    showsAll = query["all"] == "1"
    if let limit = query["limit"].flatMap(Int.init) { boxLimit = min(max(limit, 1), Self.mostBoxes) }
  }

  /// The options for drawing a graph.
  ///
  /// - Parameter count: The number of nodes if each is drawn.
  func options(for count: Int) -> DrawingOptions {
    var options = DrawingOptions(showsLegend: false, showsEnded: showsEnded, boxLimit: boxLimit)
    if showsAll { (options.bundlesFrom, options.boxLimit) = (nil, count <= Self.largest ? nil : Self.largest) }
    return options
  }
}

/// The items of a query.
struct PageQuery {
  private var items: [(name: String, value: String)] = []

  /// Parses a query as browsers write it, percent-encoded and with `+` for a space; anything else than percent-encoded
  /// UTF-8 is skipped.
  init(_ text: Substring) {
    for item in text.split(separator: "&").prefix(400) {
      let parts = item.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard let name = parts[0].removingPercentEncoding, parts.count == 2,
        let value = parts[1].replacing("+", with: " ").removingPercentEncoding
      else { continue }
      items.append((name, value))
    }
  }

  /// The value of the first item with a name and a value.
  subscript(name: String) -> String? { items.first { $0.name == name && !$0.value.isEmpty }?.value }

  func all(_ name: String) -> [String] { items.filter { $0.name == name && !$0.value.isEmpty }.map(\.value) }
}
