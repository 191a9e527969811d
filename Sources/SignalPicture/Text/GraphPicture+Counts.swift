import SignalGraph

extension GraphPicture {
  /// Which process it is, how much there is to see, and what was done to the picture, with the options that show what was left out.
  ///
  /// Such as "pid 4242 · 20 nodes in 12 boxes (drawn by file: --all shows each)".
  func counts(_ options: DrawingOptions) -> String {
    if let programs { return programs.counts(of: self, options) }
    let counts = "pid \(process.pid) · \(self.counts.words(drawn: nodeCount, boxes: boxes.count))"
    // How many they are is said already, if it is all of them.
    let ended = notes.filter { $0.hasSuffix(Self.endedNote) }.map {
      nodeCount == self.counts.live ? Self.endedNote : $0
    }
    let reduced = notes.filter { !$0.hasSuffix(Self.endedNote) }
    // Without a limit there is no option any more that shows each.
    let canShowAll = options.namesOptions && (options.boxLimit != nil || options.bundlesFrom != nil)
    let groups = [
      reduced.joined(separator: ", ") + (canShowAll ? ": --all shows each" : ""),
      ended.joined(separator: ", ") + (options.namesOptions ? ": --ended shows them" : ""),
    ]
    let shown = zip([reduced, ended], groups).filter { !$0.0.isEmpty }.map(\.1)
    return shown.isEmpty ? counts : counts + " (\(shown.joined(separator: "; ")))"
  }

  /// The end of the note on what was left out because it has ended.
  static var endedNote: String { "ended not drawn" }
}
