/// The amount of detail that a page draws in its window: as many boxes as are readable at first sight.
struct PageSight {
  private(set) var view: PageView
  let window: PageWindow
  /// Whether the number of boxes can still be reduced. It is fixed once the graph was shown, so that the page does not
  /// jump.
  private var isSearching: Bool

  init(_ query: PageQuery) {
    view = PageView(query)
    window = PageWindow(query)
    isSearching = query["limit"] == nil && !view.showsAll && view.opened.isEmpty
    if isSearching { view.boxLimit = min(view.boxLimit, window.boxes) }
  }

  /// Reduces the number of boxes if their names are not readable.
  ///
  /// - Returns: Whether another drawing is needed.
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
