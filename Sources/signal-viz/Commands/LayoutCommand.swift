import ArgumentParser
import Foundation
import SignalRendering

/// The child process in which libgraphviz runs: a graph comes in on standard input, a picture goes out on standard
/// output. What the library does to the process, it does to this one.
struct LayoutCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "layout-child", abstract: "Lays out one graph.", shouldDisplay: false)

  @Option var format: String
  @Option var engine: String
  @Option var seconds: Int
  @Option var megabytes: Int
  /// Who started this, and waits for the picture.
  @Option var parent: Int32

  /// The prefix of the line on standard error with the width and height of the layout in points.
  static let sizeMark = "size="
  /// The format that tells where everything is, and draws nothing.
  static let places = "places"

  /// The exit status if the picture cannot be written; the system's number of the error is on standard error then.
  static let unwritten: Int32 = 74

  func run() throws {
    let picture = PictureFormat(rawValue: format)
    guard picture != nil || format == Self.places, let engine = Graphviz.Engine(rawValue: engine) else {
      throw ValidationError("layout-child knows no format `\(format)` or engine `\(engine)`.")
    }
    // Who started this may not want to hear of these; this process ends by them all the same.
    Unfinished.letThrough(Unfinished.signals + [SIGXCPU])
    ParentWatch.start(parent)
    // Fontconfig and cairo may write to standard output; the picture keeps a descriptor of its own.
    let output = dup(STDOUT_FILENO)
    guard output >= 0, dup2(STDERR_FILENO, STDOUT_FILENO) >= 0 else {
      throw Failure("The layout process cannot copy its output: \(SystemMessage.last).")
    }
    let graph = try FileHandle.standardInput.readToEnd() ?? Data()
    try limit()
    let dot = String(decoding: graph, as: UTF8.self)
    let bytes: [UInt8]
    if let format = picture {
      let drawn = try Graphviz.draw(dot: dot, engine: engine, format: format)
      // Who has started this wants to know, and says so to the user.
      Terminal.note("\(Self.sizeMark)\(drawn.size.width),\(drawn.size.height)")
      bytes = drawn.bytes
    } else {
      bytes = try Graphviz.places(dot: dot, engine: engine)
    }
    do {
      try Data(bytes).write(to: output)
    } catch let error as WriteError {
      // Who has started this knows what file it is.
      Terminal.note("\(error.number)")
      throw ExitCode(Self.unwritten)
    }
  }

  private func limit() throws {
    // At the first limit of time comes SIGXCPU, which means only this; SIGKILL, at the second, may come from others too.
    var limits = [(RLIMIT_CPU, UInt64(seconds), UInt64(seconds) + 10)]
    if megabytes > 0 { limits.append((RLIMIT_AS, UInt64(megabytes) * 1_048_576, UInt64(megabytes) * 1_048_576)) }
    for (resource, amount, largest) in limits {
      var value = rlimit(rlim_cur: rlim_t(amount), rlim_max: rlim_t(largest))
      #if canImport(Glibc)
        let status = setrlimit(__rlimit_resource_t(resource.rawValue), &value)
      #else
        let status = setrlimit(resource, &value)
      #endif
      #if !canImport(Darwin)
        // Darwin refuses RLIMIT_AS below what the process maps already; its time limits hold.
        guard status == 0 else { throw Failure("The layout process cannot limit itself: \(SystemMessage.last).") }
      #endif
    }
    // A crash of the layout is expected to be reported, not to leave a core file behind.
    var none = rlimit(rlim_cur: 0, rlim_max: 0)
    #if canImport(Glibc)
      _ = setrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &none)
    #else
      _ = setrlimit(RLIMIT_CORE, &none)
    #endif
  }
}
