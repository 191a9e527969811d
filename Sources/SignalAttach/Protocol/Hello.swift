public import SignalGraph

/// The handshake of an inspected process: its identity and its capabilities.
public struct Hello: Codable, Hashable, Sendable {
  /// The version of the attach protocol that this code implements.
  public static let currentProtocolVersion = 1
  /// The version of this library.
  public static let currentLibraryVersion = "0.1.0"

  /// A capability of a process. Unknown ones, of newer versions, decode and may be ignored.
  public struct Capability: RawRepresentable, Codable, Hashable, Sendable {
    /// The name on the wire.
    public var rawValue: String

    /// Creates a capability from its name on the wire.
    ///
    /// - Parameter rawValue: The name.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// One snapshot, filtered.
    public static let snapshot = Capability(rawValue: "snapshot")
    /// A stream of snapshots.
    public static let stream = Capability(rawValue: "stream")
    /// The values of one node for a bounded time.
    public static let watch = Capability(rawValue: "watch")
  }

  /// The process.
  public var process: ProcessIdentity
  /// The version of the attach protocol.
  public var protocolVersion: Int
  /// The version of the wire model of snapshots.
  public var snapshotVersion: Int
  /// The version of the library in the process.
  public var libraryVersion: String
  /// The capabilities of the process.
  public var capabilities: [Capability]

  /// Creates the handshake of a process that uses this code.
  ///
  /// - Parameters:
  ///   - process: The process; this one by default.
  ///   - capabilities: The capabilities of the process.
  public init(
    process: ProcessIdentity = .current, capabilities: [Capability] = [.snapshot, .stream, .watch]
  ) {
    self.process = process
    self.protocolVersion = Self.currentProtocolVersion
    self.snapshotVersion = GraphSnapshot.currentVersion
    self.libraryVersion = Self.currentLibraryVersion
    self.capabilities = capabilities
  }

  /// Throws `AttachError.newerProtocol` if the process uses a protocol that this code does not know.
  public func checkProtocol() throws(AttachError) {
    guard protocolVersion <= Self.currentProtocolVersion else {
      throw .newerProtocol(theirs: protocolVersion, ours: Self.currentProtocolVersion)
    }
  }
}
