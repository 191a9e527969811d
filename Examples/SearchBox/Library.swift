import Signals

/// The texts that are searched.
enum Library {
  private static let texts = [
    "signal graph", "virtual time", "marble diagram", "a leak in a chain", "graph of signals", "time passes",
    "marbles roll", "no leak here", "virtual signals", "graphs and marbles", "timeless", "leaking signals",
  ]

  /// The matching texts, page by page and then from the first page again, for as long as somebody listens.
  static func pages(
    matching text: String, _ settings: Settings, on scheduler: any Scheduler
  ) -> Signal<[String]> {
    let wanted = settings.isCaseSensitive ? text : text.lowercased()
    let matches = texts.filter { $0.contains(wanted) || wanted.isEmpty }
    return Signal.interval(every: .milliseconds(50), on: scheduler, after: .zero).named("page turner")
      .map { index in
        let pageCount = max(1, (matches.count + settings.resultsPerPage - 1) / settings.resultsPerPage)
        return Array(matches.dropFirst(index % pageCount * settings.resultsPerPage).prefix(settings.resultsPerPage))
      }.named("page")
  }
}
