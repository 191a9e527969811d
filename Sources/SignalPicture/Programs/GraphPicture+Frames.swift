import SignalGraph

extension GraphPicture {
  /// A cluster of boxes: that of a program, or of a file.
  struct Frame {
    /// The id in SVG.
    var id: String
    /// Its title; in DOT, that of a program has two font sizes.
    var title: Title
    var boxes: [Box]
    /// The nested clusters.
    var inner: [Frame] = []

    enum Title {
      case file(String)
      case program(ProgramFrames.Frame)
    }
  }

  /// The clusters, and the boxes outside of them.
  func frames(_ options: DrawingOptions) -> (frames: [Frame], free: [Box]) {
    guard let programs else {
      return options.clustersByFile ? (Self.frames(ofFilesOf: boxes, prefix: ""), []) : ([], boxes)
    }
    let members = Dictionary(grouping: boxes) { $0.place?.program ?? -1 }
    let frames = programs.frames.enumerated().map { number, program in
      let boxes = members[number] ?? []
      return options.clustersByFile
        ? Frame(
          id: program.id, title: .program(program), boxes: [],
          inner: Self.frames(ofFilesOf: boxes, prefix: program.id))
        : Frame(id: program.id, title: .program(program), boxes: boxes)
    }
    return (frames, members[-1] ?? [])
  }

  private static func frames(ofFilesOf boxes: [Box], prefix: String) -> [Frame] {
    Dictionary(grouping: boxes, by: \.fileID).sorted { $0.key < $1.key }.enumerated().map { number, file in
      Frame(id: prefix + frameID(number), title: .file(file.key), boxes: file.value)
    }
  }
}

extension GraphPicture.Frame {
  /// Returns the cluster in DOT.
  ///
  /// - Parameter number: The number of the next cluster; it is unique in the drawing.
  func dot(_ number: inout Int, indent: String = "  ", _ statement: (GraphPicture.Box) -> String) -> [String] {
    let (label, fill) =
      switch title {
      case .file(let name): (DOTText.quoted(name.displayable()), "#F7F9FB")
      case .program(let frame): ("<\(HTMLLabel.title(of: frame))>", inner.isEmpty ? "#F7F9FB" : "white")
      }
    var lines = [
      "\(indent)subgraph \"cluster_\(number)\" {",
      "\(indent)  graph [color=\"#B8C4CE\", fillcolor=\"\(fill)\", id=\"\(id)\", label=\(label),"
        + " margin=\"12\", style=\"rounded,filled\"];",
    ]
    number += 1
    lines += boxes.map { "\(indent)  " + statement($0) }
    for frame in inner { lines += frame.dot(&number, indent: indent + "  ", statement) }
    if boxes.isEmpty && inner.isEmpty {
      // Empty clusters are not drawn.
      lines.append(
        "\(indent)  empty_\(number) [class=\"empty\", label=\"nothing to draw\", shape=\"plaintext\", style=\"\"];")
    }
    return lines + ["\(indent)}"]
  }

  /// Returns the cluster as a Mermaid subgraph.
  func mermaid(indent: String = "  ", _ statement: (GraphPicture.Box) -> String) -> [String] {
    let words =
      switch title {
      case .file(let name): MermaidText.words(name)
      case .program(let frame):
        "\(MermaidText.words(frame.process.name, limit: 60)) · \(MermaidText.words(frame.headingCounts, limit: 200))"
      }
    var lines = ["\(indent)subgraph \(id)[\"\(words)\"]"]
    lines += boxes.map { "\(indent)  \(statement($0))" }
    for frame in inner { lines += frame.mermaid(indent: indent + "  ", statement) }
    if boxes.isEmpty && inner.isEmpty { lines.append("\(indent)  \(id)e[\"nothing to draw\"]") }
    return lines + ["\(indent)end"]
  }

  /// The captions of the cluster and of nested ones, by their ids.
  var captions: [(id: String, label: String, hover: String, data: (name: String, value: String))] {
    let own =
      switch title {
      case .file(let name):
        (id: id, label: "File \(name)", hover: name, data: (name: "file", value: name))
      case .program(let frame):
        (
          id: id, label: "Program \(frame.process.name), \(frame.counts)",
          hover: "\(frame.process.name) · \(frame.counts)", data: (name: "pid", value: "\(frame.process.pid)")
        )
      }
    return [own] + inner.flatMap(\.captions)
  }
}

extension HTMLLabel {
  /// The heading of a program's cluster.
  static func title(of frame: ProgramFrames.Frame) -> String {
    "<FONT POINT-SIZE=\"13\"><B>\(escaped(frame.process.name.displayable(limit: 60)))</B></FONT>"
      + "  <FONT COLOR=\"\(PictureStyle.faintText)\">\(escaped(frame.headingCounts))</FONT>"
  }

  /// The label of a channel's box.
  static func label(ofChannel name: String) -> String {
    "<B>\(escaped(name.displayable(limit: 40)))</B>"
  }
}
