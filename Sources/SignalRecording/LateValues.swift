extension NodeReference {
  /// Notes that a value was sent to the node, which is a source for one subscription, after the subscription had ended.
  ///
  /// What its closure sends before `subscribe` returns is not counted: a loop may ignore that its subscriber takes no more.
  package func noteSentAfterEnd() {
    if !record.isConnecting { record.noteSentAfterEnd(of: identifier) }
  }
}
