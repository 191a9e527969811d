import ArgumentParser
import Foundation
import SignalAttach

struct ServeCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "serve", abstract: "Shows running programs live, in a page of your browser.",
    discussion: """
      The page shows every inspectable program, also those that start later: the graph with live counts, the findings, and all details of a \
      selected node. It is served on this machine only, and its address contains a new token for each run. Programs are queried only while a \
      page shows them, and only as often as they can respond.

      It runs until Ctrl-C.

      Exit status: 0 after Ctrl-C; 1 if the page cannot be served; 64 if the arguments are wrong.

      Examples:
        signal-viz serve
        signal-viz serve --open
        signal-viz serve --port 8123
        signal-viz serve --source-root ~/Projects/App --link vscode
      """)

  @Option(help: "The port; by default a free one.")
  var port: UInt16?

  @Flag(help: "Open the page in the browser.")
  var open = false

  @OptionGroup var link: LinkChoice

  func run() throws {
    UnusedMemory.share()
    let port = port ?? 0
    let listener: (socket: LocalSocket, port: UInt16)
    do {
      listener = try LocalSocket.servingLoopback(port: port)
    } catch {
      let words = error.code == EADDRINUSE ? "another program has it" : error.description
      throw Failure("The page cannot be served at port \(port): \(words). Give another --port, or none.")
    }
    let site = PageSite(port: listener.port, links: try EditorLinks(link))
    var limits = ClientLimits()
    (limits.clients, limits.newcomers) = (32, 32)
    let server = try ClientServer(socket: listener.socket, name: "signal-viz-serve", limits: limits) {
      try PageAnswer(connection: $0, site: site).answer()
    }
    let interruption = Interruption()
    site.programs.run()
    do { try server.run() } catch { throw Failure("The page cannot be served: no thread could be created (\(error)).") }
    try Terminal.write(line: "The live page is at \(site.address) Press Ctrl-C to stop.")
    if open { Self.open(site.openingAddress) }
    while !interruption.comes(within: .seconds(3_600)) {}
    // Layouts that no page waits for any more.
    Unfinished.shared.clear()
    // A terminal echoes ^C at the cursor.
    if isatty(STDERR_FILENO) == 1 { Terminal.note("") }
  }

  /// Has the system open a page.
  private static func open(_ address: String) {
    #if canImport(Darwin)
      let opener = "/usr/bin/open"
    #else
      let opener = "xdg-open"
    #endif
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = [opener, address]
    (process.standardOutput, process.standardError) = (FileHandle.nullDevice, FileHandle.nullDevice)
    process.terminationHandler = {
      if $0.terminationStatus != 0 { Terminal.note("No browser could be opened; open the address yourself.") }
    }
    do { try process.run() } catch { Terminal.note("No browser could be opened; open the address yourself.") }
  }
}
