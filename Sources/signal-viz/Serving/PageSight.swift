/// What a page draws in its window: as many boxes as can be read at first sight.
struct PageSight {
  private(set) var view: PageView
  let window: PageWindow
  /// Whether the number of boxes can still be reduced. It stays what it is once the graph was shown, so that the page does not jump.
  private var isSearching: Bool

  init(_ query: PageQuery) {
    view = PageView(query)
    window = PageWindow(query)
    isSearching = query["limit"] == nil && !view.showsAll && view.opened.isEmpty
    if isSearching { view.boxLimit = min(view.boxLimit, window.boxes) }
  }

  /// Draws fewer boxes where the names of these cannot be read.
  ///
  /// - Returns: Whether another picture is needed.
  mutating func reduce(for layout: LiveLayout) -> Bool {
    let count = layout.boxes.count
    guard isSearching, count > PageWindow.fewestBoxes,
      window.scale(of: (layout.width, layout.height)) < PageWindow.legibleScale
    else {
      isSearching = false
      return false
    }
    view.boxLimit = max(PageWindow.fewestBoxes, min(view.boxLimit, count) * 3 / 4)
    return true
  }
}
