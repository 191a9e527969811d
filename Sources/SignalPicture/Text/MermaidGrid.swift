/// Invisible links that make Mermaid arrange unconnected components in rows: otherwise all of them are side by side.
struct MermaidGrid {
  /// The statements, such as `n1 ~~~ n7`.
  let statements: [String]

  /// - Parameters:
  ///   - picture: The drawing with the boxes.
  ///   - shape: Determines the number of components in a row.
  ///   - marks: The ids of the boxes with callouts, which come above or before the others.
  init(_ picture: GraphPicture, _ shape: PictureShape, marks: [String]) {
    let parts = picture.parts
    let rows = (parts.count + shape.columns - 1) / shape.columns
    let stride = shape.direction == .down ? shape.columns : rows
    var links: [(String, String)] = []
    for index in parts.indices where index + stride < parts.count {
      links.append(("n\(parts[index].last)", "n\(parts[index + stride].first)"))
    }
    // A callout is wider than a box.
    let width = min(marks.count, 3)
    for index in marks.indices {
      if index + width < marks.count {
        links.append((marks[index], marks[index + width]))
      } else if !parts.isEmpty {
        links.append((marks[index], "n\(parts[index % min(stride, parts.count)].first)"))
      }
    }
    statements = links.map { "  \($0.0) ~~~ \($0.1)" }
  }
}

extension GraphPicture {
  /// The components in the order of their first ids: a box at which values enter, and one of those farthest from it.
  fileprivate var parts: [(first: UInt64, last: UInt64)] {
    var neighbours: [UInt64: [UInt64]] = [:]
    var targets: Set<UInt64> = []
    for link in links where link.source != link.target {
      neighbours[link.source, default: []].append(link.target)
      neighbours[link.target, default: []].append(link.source)
      targets.insert(link.target)
    }
    var outputs: [UInt64: [UInt64]] = [:]
    for link in links where link.source != link.target { outputs[link.source, default: []].append(link.target) }
    var seen: Set<UInt64> = []
    var parts: [(first: UInt64, last: UInt64)] = []
    for box in boxes where seen.insert(box.id).inserted {
      var members = [box.id]
      var next = 0
      while next < members.count {
        for neighbour in neighbours[members[next]] ?? [] where seen.insert(neighbour).inserted {
          members.append(neighbour)
        }
        next += 1
      }
      let first = members.filter { !targets.contains($0) }.min() ?? box.id
      var reached = [first]
      var known: Set<UInt64> = [first]
      next = 0
      while next < reached.count {
        for target in outputs[reached[next]] ?? [] where known.insert(target).inserted { reached.append(target) }
        next += 1
      }
      parts.append((first, reached[reached.count - 1]))
    }
    return parts
  }
}
