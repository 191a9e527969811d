import SignalGraph

extension GraphPicture {
  /// The process, the number of drawn elements and the steps that reduced the drawing, with the options that show what
  /// was omitted.
  ///
  /// For example "pid 4242 · 20 nodes in 12 boxes (drawn by file: --all shows each)".
  func counts(_ options: DrawingOptions) -> String {
    if let programs { return programs.counts(of: self, options) }
    let counts = "pid \(process.pid) · \(self.counts.words(drawn: nodeCount, boxes: boxes.count))"
    // If all of them were omitted, their number is mentioned already.
    let ended = notes.filter { $0.hasSuffix(Self.endedNote) }.map {
      nodeCount == self.counts.live ? Self.endedNote : $0
    }
    let reduced = notes.filter { !$0.hasSuffix(Self.endedNote) }
    // Without a limit there is no option left that shows each.
    let canShowAll = options.namesOptions && (options.boxLimit != nil || options.bundlesFrom != nil)
    let groups = [
      reduced.joined(separator: ", ") + (canShowAll ? ": --all shows each" : ""),
      ended.joined(separator: ", ") + (options.namesOptions ? ": --ended shows them" : ""),
    ]
    let shown = zip([reduced, ended], groups).filter { !$0.0.isEmpty }.map(\.1)
    return shown.isEmpty ? counts : counts + " (\(shown.joined(separator: "; ")))"
  }

  /// The end of the note on nodes omitted because they have ended.
  static var endedNote: String { "ended not drawn" }
}
