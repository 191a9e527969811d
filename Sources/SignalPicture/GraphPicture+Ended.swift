import SignalGraph

extension GraphPicture {
  /// Removes boxes whose nodes finished or were disposed, unless they have findings or callouts.
  ///
  /// Boxes of failed nodes remain, as they are usually of interest.
  ///
  /// - Complexity: O(boxes + links).
  package mutating func leaveOutEnded() {
    let before = nodeCount
    remove {
      ($0.state == .finished || $0.state == .disposed) && $0.findings.isEmpty && $0.marks.isEmpty && $0.change == nil
    }
    if nodeCount < before { notes.append("\((before - nodeCount).grouped) \(Self.endedNote)") }
  }
}
