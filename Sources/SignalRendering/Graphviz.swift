internal import CGraphviz
internal import Synchronization

/// libgraphviz in this process. It is not thread-safe, so one lock guards it: calls from several threads wait for each
/// other. It may call `exit` or `abort` on graphs that it cannot handle; a process that must survive that does the
/// layout in a child process.
public enum Graphviz {
  /// A layout algorithm.
  public enum Engine: String, Hashable, Sendable {
    /// Layers, in the direction of the edges; for graphs of operators.
    case dot
    /// Forces, on several scales; for graphs too large for layers.
    case sfdp
  }

  private static let library = Mutex(())
  private static let collected = Mutex("")

  /// The version of libgraphviz, such as `2.43.0`; empty if it could not be started.
  public static var version: String {
    library.withLock { _ in
      withUnsafeTemporaryAllocation(of: CChar.self, capacity: 64) { buffer in
        guard let start = buffer.baseAddress else { return "" }
        signals_graphviz_version(start, buffer.count)
        return String(cString: start)
      }
    }
  }

  /// Lays out a graph written in Graphviz's language and paints it.
  ///
  /// ```swift
  /// let picture = try Graphviz.render(dot: "digraph { send -> map -> subscribe }", format: .svg)
  /// print(String(decoding: picture, as: UTF8.self))
  /// ```
  ///
  /// - Parameters:
  ///   - dot: The graph in Graphviz's language.
  ///   - engine: The layout algorithm.
  ///   - format: SVG, PNG or PDF.
  /// - Returns: The bytes of the drawing. The same text gives the same bytes with the same library and fonts.
  /// - Throws: ``RenderingError`` with all messages of the library.
  public static func render(
    dot: String, engine: Engine = .dot, format: PictureFormat
  ) throws(RenderingError) -> [UInt8] {
    try draw(dot: dot, engine: engine, format: format).bytes
  }

  /// A drawing, and the size of its layout.
  package struct Picture: Sendable {
    package let bytes: [UInt8]
    package let size: LayoutSize
  }

  /// Lays out a graph and paints it.
  package static func draw(
    dot: String, engine: Engine, format: PictureFormat
  ) throws(RenderingError) -> Picture {
    try lay(dot, engine, format.rawValue)
  }

  /// Lays out a graph written in Graphviz's language, and returns the layout as lines of the format `plain`.
  ///
  /// - Parameters:
  ///   - dot: The graph in Graphviz's language.
  ///   - engine: The layout algorithm.
  /// - Returns: The lines: `node` with name, centre and size; `edge` with names and points; all in inches, from the lower
  ///   left corner.
  /// - Throws: ``RenderingError`` with all messages of the library.
  package static func places(dot: String, engine: Engine = .dot) throws(RenderingError) -> [UInt8] {
    try lay(dot, engine, "plain").bytes
  }

  private static func lay(_ dot: String, _ engine: Engine, _ format: String) throws(RenderingError) -> Picture {
    let result: Result<Picture, RenderingError> = library.withLock { _ in
      collected.withLock { $0 = "" }
      var bytes: UnsafeMutablePointer<CChar>?
      var length = 0
      var errors: Int32 = 0
      var (width, height) = (0.0, 0.0)
      let outcome = signals_graphviz_render(
        dot, engine.rawValue, format,
        { fragment in
          if let fragment { Graphviz.collected.withLock { $0 += String(cString: fragment) } }
          return 0
        }, &bytes, &length, &width, &height, &errors)
      defer { signals_graphviz_free(bytes) }
      let step: RenderingError.Step? =
        switch outcome {
        case signals_graphviz_done: errors > 0 ? .layout : nil
        case signals_graphviz_no_context: .start
        case signals_graphviz_unreadable: .read
        case signals_graphviz_no_layout: .layout
        default: .paint
        }
      if let step { return .failure(RenderingError(step: step, messages: Self.messages)) }
      guard let bytes else { return .failure(RenderingError(step: .paint, messages: Self.messages)) }
      return .success(
        Picture(
          bytes: bytes.withMemoryRebound(to: UInt8.self, capacity: length) { start in
            [UInt8](UnsafeBufferPointer(start: start, count: length))
          }, size: LayoutSize(width: width, height: height)))
    }
    return try result.get()
  }

  private static var messages: [String] {
    collected.withLock { text in text.split(whereSeparator: \.isNewline).map(String.init) }
  }
}
