package import SignalGraph

/// The handshake of an inspected process: its identity and its capabilities.
package struct Hello: Codable, Hashable, Sendable {
  /// The version of the attach protocol that this code implements.
  package static let currentProtocolVersion = 1
  /// The version of this library.
  package static let currentLibraryVersion = "0.1.0"

  /// A capability of a process. Unknown ones, of newer versions, decode and may be ignored.
  package struct Capability: RawRepresentable, Codable, Hashable, Sendable {
    /// The name on the wire.
    package var rawValue: String

    /// Creates a capability from its name on the wire.
    ///
    /// - Parameter rawValue: The name.
    package init(rawValue: String) { self.rawValue = rawValue }

    /// One snapshot, filtered.
    package static let snapshot = Capability(rawValue: "snapshot")
    /// A stream of snapshots.
    package static let stream = Capability(rawValue: "stream")
    /// The values of one node for a bounded time.
    package static let watch = Capability(rawValue: "watch")
  }

  /// The process.
  package var process: ProcessIdentity
  /// The version of the attach protocol.
  package var protocolVersion: Int
  /// The version of the wire model of snapshots.
  package var snapshotVersion: Int
  /// The version of the library in the process.
  package var libraryVersion: String
  /// The capabilities of the process.
  package var capabilities: [Capability]

  /// Creates the handshake of a process that uses this code.
  ///
  /// - Parameters:
  ///   - process: The process; this one by default.
  ///   - capabilities: The capabilities of the process.
  package init(
    process: ProcessIdentity = .current, capabilities: [Capability] = [.snapshot, .stream, .watch]
  ) {
    self.process = process
    self.protocolVersion = Self.currentProtocolVersion
    self.snapshotVersion = GraphSnapshot.currentVersion
    self.libraryVersion = Self.currentLibraryVersion
    self.capabilities = capabilities
  }

  /// Throws `AttachError.newerProtocol` if the process uses a protocol that this code does not know.
  package func checkProtocol() throws(AttachError) {
    guard protocolVersion <= Self.currentProtocolVersion else {
      throw .newerProtocol(theirs: protocolVersion, ours: Self.currentProtocolVersion)
    }
  }
}
