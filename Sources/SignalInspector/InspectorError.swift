/// The reason why the inspector does not start. Every message contains the error, its location, and the remedy.
public enum InspectorError: Error, Hashable, Sendable, CustomStringConvertible {
  /// This process already serves its graph at this socket.
  case alreadyServing(path: String)
  /// The system rejects the socket.
  case cannotServe(path: String, reason: String)
  /// The environment variable has no valid Boolean value.
  case badEnvironment(value: String)
  /// The graph cannot be written to a file.
  case cannotKeep(path: String, reason: String)

  /// The message for the user.
  public var description: String {
    switch self {
    case .alreadyServing(let path):
      "the inspector already serves this process at \(path); stop it before you start another one there"
    case .cannotServe(let path, let reason):
      "cannot serve the signal graph at \(path): \(reason); check that the directory can be written to"
    case .cannotKeep(let path, let reason):
      "cannot write the signal graph to \(path): \(reason); choose another path"
    case .badEnvironment(let value):
      "\(SignalInspector.environmentKey)='\(value)' means neither yes nor no; set it to 1, or to 0"
    }
  }
}
