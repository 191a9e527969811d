import ArgumentParser
import Foundation
import SignalAttach

struct ServeCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "serve", abstract: "Shows running programs live, in a page of your browser.",
    discussion: """
      The page shows every program that can be looked at, also those that start later: the graph with counts that tick, what is found, and of the node \
      that you choose all that is known. It is served to this machine only, to whoever has the address, which has a new token each time. Programs are \
      asked only while a page looks at them, and as often as they have time for it.

      It goes on until Ctrl-C.

      Exit status: 0 after Ctrl-C; 1 if the page cannot be served; 64 if the arguments are wrong.

      Examples:
        signal-viz serve
        signal-viz serve --open
        signal-viz serve --port 8123
        signal-viz serve --source-root ~/Projects/App --link vscode
      """)

  @Option(help: "The port; a free one if it is not given.")
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
    server.run()
    try Terminal.write(line: "The live page is at \(site.address) Press Ctrl-C to stop.")
    if open { Self.open(site.address) }
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
