import ArgumentParser

/// The options that say which running program is meant.
struct ProgramChoice: ParsableArguments {
  @Option(help: "The process identifier of the program.")
  var pid: Int32?

  @Option(help: "The name of the program.")
  var name: String?

  @Option(help: "The path of the program's socket.")
  var socket: String?

  /// Whether one of the options is given.
  var isGiven: Bool { pid != nil || name != nil || socket != nil }

  /// Refuses several answers to the question which graph is meant.
  func checkThatOneIsMeant(besidesFile hasFile: Bool) throws {
    guard [hasFile, pid != nil, name != nil, socket != nil].filter({ $0 }).count <= 1 else {
      throw ValidationError("Give one of a snapshot file, --pid, --name and --socket, not several.")
    }
  }

  /// How to ask the program.
  func connection() throws -> ProgramConnection {
    let path = if let socket { socket } else { try Program.find(pid: pid, name: name).socketPath }
    return ProgramConnection(socketPath: path)
  }
}
