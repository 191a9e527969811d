/// Writes entries to a replicated log, and turns to another replica where it gets no answer.
package actor Writer {
  package nonisolated let name: String

  private let replicas: [String]
  private let fault: Fault?
  private let send: @Sendable (Message, _ receiver: String) -> Void
  private var current = 0
  private var count = 0
  private var appended: Set<Entry.ID> = []

  package init(
    _ name: String, replicas: [String], fault: Fault? = nil,
    send: @escaping @Sendable (Message, _ receiver: String) -> Void
  ) {
    self.name = name
    self.replicas = replicas
    self.fault = fault
    self.send = send
  }

  /// Writes an entry, and returns once most replicas have it.
  ///
  /// - Returns: The entry.
  package func write(_ text: String) async throws -> Entry {
    count += 1
    let entry = Entry(id: "\(name)\(count)", text: text)
    while true {
      send(.append(entry), replicas[current])
      for _ in 0..<10 {
        try await Task.sleep(for: .milliseconds(20))
        if appended.contains(entry.id) { return entry }
      }
      current = (current + 1) % replicas.count
      // It has been sent.
      if fault == .lostAfterReconnect, count > 1 { return entry }
    }
  }

  package func receive(_ message: Message) {
    if case .appended(let id) = message { appended.insert(id) }
  }
}
