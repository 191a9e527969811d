extension MarbleDrawing {
  /// Draws the events at one instant.
  mutating func draw(_ group: MarbleGroup, x: Int, y: Int) {
    if group.isFramed {
      canvas.rectangle(
        x: x - group.left, y: y - 17, width: group.left + group.right, height: 34, radius: 17,
        group.isUnordered ? "frame any" : "frame")
    }
    // A completion at the time of a value is drawn behind it.
    for item in group.isCrossed ? group.items.reversed() : group.items { draw(item, x: x + item.offset, y: y) }
  }

  private mutating func draw(_ item: MarbleGroup.Item, x: Int, y: Int) {
    let half = MarbleGroup.height / 2
    canvas.add("<g><title>\(XMLText.escaped(words(item)))</title>")
    switch item.shape {
    case .value(let label):
      marble(item, x, y, "c\(colours.number(of: item.words))")
      canvas.text(label, x: x, y: y + 5, "label")
    case .anyValue:
      marble(item, x, y, "bare any")
      canvas.text("?", x: x, y: y + 5, "label")
    case .others(let count):
      marble(item, x, y, "bare")
      canvas.text("+\(count.grouped)", x: x, y: y + 5, "label")
    case .failed(let name):
      canvas.path("M\(x - 7) \(y - 7)l14 14M\(x - 7) \(y + 7)l14 -14", "fail")
      if !name.isEmpty { canvas.text(name, x: x + 13, y: y + 4, "note wrong") }
    case .finished: canvas.path("M\(x) \(y - half - 6)v\(2 * half + 12)", "line end")
    }
    if let difference = item.difference {
      let (left, right) = item.shape == .finished ? (8, 8) : (item.left + 3, item.right + 3)
      canvas.rectangle(
        x: x - left, y: y - half - 3, width: left + right, height: 2 * half + 6, radius: min(half + 3, left),
        difference == .missing ? "ring missing" : "ring")
    }
    canvas.add("</g>")
  }

  private mutating func marble(_ item: MarbleGroup.Item, _ x: Int, _ y: Int, _ style: String) {
    let half = MarbleGroup.height / 2
    canvas.rectangle(
      x: x - item.left, y: y - half, width: item.left + item.right, height: 2 * half, radius: half, "marble \(style)")
  }

  private func words(_ item: MarbleGroup.Item) -> String {
    item.difference.map { "\(item.words) (\($0.words))" } ?? item.words
  }
}
