import ArgumentParser

/// The options that select a running program.
struct ProgramChoice: ParsableArguments {
  @Option(help: "The process identifier of the program.")
  var pid: Int32?

  @Option(help: "The name of the program.")
  var name: String?

  @Option(help: "The path of the program's socket.")
  var socket: String?

  /// Whether one of the options is given.
  var isGiven: Bool { pid != nil || name != nil || socket != nil }

  /// Throws if more than one graph is selected.
  func checkThatOneIsMeant(besidesFile hasFile: Bool) throws {
    guard [hasFile, pid != nil, name != nil, socket != nil].filter({ $0 }).count <= 1 else {
      throw ValidationError("Give one of a snapshot file, --pid, --name and --socket, not several.")
    }
  }

  /// The connection to the selected program.
  func connection() throws -> ProgramConnection {
    let path = if let socket { socket } else { try Program.find(pid: pid, name: name).socketPath }
    return ProgramConnection(socketPath: path)
  }
}
