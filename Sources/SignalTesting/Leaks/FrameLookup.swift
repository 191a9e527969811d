#if canImport(Runtime) && !canImport(Darwin)
  import Foundation
  import Runtime
  import Synchronization

  /// Looks up the functions and lines of captured frames, each frame once for the process.
  ///
  /// The name of a function is cheap. Its line is not: the runtime reads the line tables of the whole program for each
  /// frame, which takes a quarter of a second in a program of 100 MB. So lines are looked up only for the frames that a
  /// report needs.
  enum FrameLookup {
    /// The loaded images, found once: finding them takes most of the time of a capture.
    static let images = ImageMap.capture()
    private static let found = Mutex<[UInt64: [CreationTrace.Call]]>([:])

    /// The calls of one frame with their lines, the innermost first: several if functions were inlined.
    static func calls(at frame: Backtrace.Frame) -> [CreationTrace.Call] {
      guard let address = UInt64(frame.adjustedProgramCounter) else { return [] }
      if let known = found.withLock({ $0[address] }) { return known }
      let calls = read(frame)
      found.withLock { $0[address] = calls }
      return calls
    }

    private static func read(_ frame: Backtrace.Frame) -> [CreationTrace.Call] {
      (try? backtrace(of: [frame])).map(calls) ?? []
    }

    /// The calls of a backtrace with their lines, the innermost first, all looked up again.
    static func calls(of backtrace: Backtrace) -> [CreationTrace.Call] {
      (backtrace.symbolicated()?.frames ?? []).compactMap { frame in
        guard let symbol = frame.symbol else { return nil }
        let place = symbol.sourceLocation.flatMap { $0.path.hasSuffix(".swift") && $0.line > 0 ? written($0) : nil }
        return CreationTrace.call(rawName: symbol.rawName, name: symbol.name, path: place?.path, line: place?.line ?? 0)
      }
    }

    /// The source location of a frame. The expansion of a macro is in no file, but its name has the location of the
    /// macro: of `#expect`, for example.
    private static func written(_ place: SymbolicatedBacktrace.SourceLocation) -> (path: String, line: Int)? {
      guard let start = place.path.range(of: "@__swiftmacro_") else { return (place.path, place.line) }
      let name = CreationTrace.demangled("$s" + place.path[start.upperBound...].dropLast(".swift".count))
      guard let match = name?.firstMatch(of: /file (\S+\.swift) line (\d+)/), let line = Int(match.output.2) else {
        return nil
      }
      return (String(match.output.1), line)
    }

    /// The frames of a backtrace with the calls known from their names alone, without lines.
    static func names(of backtrace: Backtrace) -> [(frame: Backtrace.Frame, call: CreationTrace.Call?)] {
      (backtrace.symbolicated(options: [.useSymbolCache])?.frames ?? []).map { frame in
        let call = frame.symbol.flatMap {
          CreationTrace.call(rawName: $0.rawName, name: $0.name, path: nil, line: 0)
        }
        return (frame.captured, call)
      }
    }

    /// Whether one frame can be looked up alone. If not, the runtime's format for backtraces has changed.
    static let isFormatKnown: Bool = {
      let frames = (try? backtrace(of: [.returnAddress(Backtrace.Address(0x1234_5678 as UInt64))]))?.frames
      return frames?.map { UInt64($0.originalProgramCounter) } == [0x1234_5678]
    }()

    /// A backtrace of given frames. There is no initialiser for that, but there is a format.
    static func backtrace(of frames: [Backtrace.Frame]) throws -> Backtrace {
      var object = template
      // The first byte means that a word has 64 bits; each address follows a byte with its kind, and takes eight bytes.
      var bytes: [UInt8] = [2]
      for frame in frames {
        guard let address = UInt64(frame.originalProgramCounter) else { continue }
        switch frame {
        case .programCounter: bytes.append(0x1f)
        case .returnAddress: bytes.append(0x2f)
        case .asyncResumePoint: bytes.append(0x3f)
        default: continue
        }
        for shift in stride(from: 56, through: 0, by: -8) { bytes.append(UInt8(truncatingIfNeeded: address >> shift)) }
      }
      bytes.append(0)
      object["backtrace"] = Data(bytes).base64EncodedString().replacing("=", with: "")
      return try JSONDecoder().decode(Backtrace.self, from: JSONSerialization.data(withJSONObject: object))
    }

    /// A backtrace in that format, whose frames are replaced.
    private static var template: [String: Any] {
      guard let sample else { return [:] }
      return (try? JSONSerialization.jsonObject(with: sample) as? [String: Any]) ?? [:]
    }

    private static let sample = try? JSONEncoder().encode(Backtrace.capture(limit: 1, top: 0, images: images))
  }
#endif
