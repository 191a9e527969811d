import SignalGraph

extension GraphPicture {
  /// Which process it is, how much there is to see, and what was done to the picture, with the hints of the options.
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
    let shown = [(reduced, options.detailHint), (ended, options.endedHint)].filter { !$0.0.isEmpty }.map {
      $0.joined(separator: ", ") + ($1.map { ": \($0)" } ?? "")
    }
    return shown.isEmpty ? counts : counts + " (\(shown.joined(separator: "; ")))"
  }

  /// The end of the note on nodes omitted because they have ended.
  static var endedNote: String { "ended not drawn" }
}
