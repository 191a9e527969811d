import SignalGraph

extension GraphPicture {
  /// Leaves out what is over: boxes whose nodes finished or were disposed, unless something was found on them or is said about them.
  ///
  /// Failed ones stay, as somebody will want to know.
  ///
  /// - Complexity: O(boxes + links).
  public mutating func leaveOutEnded() {
    let before = nodeCount
    remove {
      ($0.state == .finished || $0.state == .disposed) && $0.findings.isEmpty && $0.marks.isEmpty && $0.change == nil
    }
    if nodeCount < before { notes.append("\((before - nodeCount).grouped) \(Self.endedNote)") }
  }
}
