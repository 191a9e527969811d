import Foundation
import SignalGraph
import SignalPicture

/// What a reader of the live page wants to see of a program.
struct PageView: Hashable, Sendable {
  /// The program, as its socket's name tells.
  var program = ""
  /// Only what feeds, or is fed by, what these words point at; nothing for the whole graph.
  var focus = ""
  /// Only the nodes that a search for these words finds; nothing for the whole graph.
  var filter = ""
  /// The keys of the boxes that are opened.
  var opened: [String] = []
  /// Whether what finished or was disposed is drawn.
  var showsEnded = false
  /// Whether each node is drawn, as far as that is possible at all.
  var showsAll = false
  /// The number of boxes from which on less detail is drawn.
  var boxLimit = mostBoxes

  /// The number of boxes from which on less detail is drawn, in a window of any size.
  static let mostBoxes = DrawingOptions().boxLimit ?? 80
  /// Of how many nodes at most each is drawn, where all are wanted.
  static let largest = 3_000
  /// Of how many nodes each is drawn where a box is opened.
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

  /// How a graph is drawn.
  ///
  /// - Parameter count: How many nodes would be drawn, if each was.
  func options(for count: Int) -> DrawingOptions {
    var options = DrawingOptions(showsLegend: false, showsEnded: showsEnded, boxLimit: boxLimit)
    if showsAll { (options.bundlesFrom, options.boxLimit) = (nil, count <= Self.largest ? nil : Self.largest) }
    return options
  }
}

/// The items of a query.
struct PageQuery {
  private var items: [(name: String, value: String)] = []

  /// Reads a query as browsers write it, percent-encoded and with `+` for a space; what is not percent-encoded UTF-8 is left out.
  init(_ text: Substring) {
    for item in text.split(separator: "&").prefix(400) {
      let parts = item.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard let name = parts[0].removingPercentEncoding, parts.count == 2,
        let value = parts[1].replacing("+", with: " ").removingPercentEncoding
      else { continue }
      items.append((name, value))
    }
  }

  /// The value of the first item of a name that has one.
  subscript(name: String) -> String? { items.first { $0.name == name && !$0.value.isEmpty }?.value }

  func all(_ name: String) -> [String] { items.filter { $0.name == name && !$0.value.isEmpty }.map(\.value) }
}
