public import SignalPicture

extension MarbleFixture {
  /// Returns a drawing of the case: its sources, the operator in a box, and below it the events of each observer.
  ///
  /// ```swift
  /// import SignalTesting
  ///
  /// func draw(file: String, text: String) throws -> [String] {
  ///   try FixtureParser.parse(text, filePath: file).map { try $0.picture().svg() }
  /// }
  /// ```
  ///
  /// A hot source has one line, with the times of its subscriptions below it. A cold one has a line for each
  /// subscription, beginning at its start. If a law differs from the reference, the drawing shows this library's
  /// behaviour, and a note names the law.
  ///
  /// - Throws: ``MarbleSyntaxError`` for a diagram with a syntax error. Diagrams from a file have been parsed already.
  public func picture() throws(MarbleSyntaxError) -> MarblePicture {
    var picture = MarblePicture(title: name, frame: MarbleDiagram.defaultFrame.exactNanoseconds ?? 1_000_000)
    for source in sources { picture.rows += try rows(of: source, notes: &picture.notes) }
    picture.rows.append(.box(call))
    try addResults(to: &picture)
    addMeanings(to: &picture)
    if let law { picture.notes.append("Law \(law.number): \(law.reason)") }
    if let note { picture.notes.append(note) }
    return picture
  }

  /// The call of the operator: `debounce(ms: 3)`, `collect(by: notifier)`.
  private var call: String {
    guard let name = operatorName ?? rxjsName else { return "reads the diagram" }
    let values = arguments.sorted { $0.key < $1.key }.map { key, value in
      // A text that is the name of a source refers to that source.
      if case .string(let text) = value, sources.contains(where: { $0.name == text }) { return (key: key, value: text) }
      return (key: key, value: value.json)
    }
    let base = String(name.prefix { $0 != "(" })
    let labels = name.dropFirst(base.count).split(whereSeparator: { "():".contains($0) }).map(String.init)
    let isLabelled = labels.count == values.count
    let arguments = zip(values.indices, values).map { index, argument in
      let label = isLabelled && values.count == 1 && labels[index] != "_" ? labels[index] : argument.key
      return "\(label): \(argument.value)"
    }
    return arguments.isEmpty ? name : "\(base)(\(arguments.joined(separator: ", ")))"
  }

  // MARK: Above the operator

  private func rows(of source: Source, notes: inout [String]) throws(MarbleSyntaxError) -> [MarblePicture.Row] {
    let diagram = try diagram(source.diagram, source.kind == .hot ? .hot : .cold)
    var spans: [SubscriptionDiagram]?
    if let texts = law?.subscriptions[source.name] ?? subscriptions[source.name] {
      var read: [SubscriptionDiagram] = []
      for text in texts { read.append(try subscription(text)) }
      spans = read
    }
    if spans?.isEmpty == true { notes.append("\(source.name) is never subscribed to.") }
    guard source.kind == .cold else {
      var line = MarblePicture.Line(source.name, diagram)
      line.begin = min(0, diagram.start)
      return [.line(line)]
        + (spans ?? []).map { .subscription(MarblePicture.Span("\(source.name) subscribed", $0)) }
    }
    let lines = (spans ?? []).map { span in
      MarblePicture.Line(source.name, diagram, offset: span.subscribed ?? 0, left: span.unsubscribed)
    }
    return (lines.isEmpty ? [MarblePicture.Line(source.name, diagram)] : lines).map { .line($0) }
  }

  // MARK: Below the operator

  private func addResults(to picture: inout MarblePicture) throws(MarbleSyntaxError) {
    if observers.isEmpty { picture.rows.append(.line(reading)) }
    for (index, observer) in observers.enumerated() {
      let text = law?.expected(at: index) ?? observer.expected
      let name = observers.count == 1 ? "result" : "observer \(index + 1)"
      guard !text.isBlank else {
        picture.notes.append("What \(name == "result" ? "comes" : "\(name) sees") is not written yet.")
        continue
      }
      let diagram = try diagram(text, .expectation)
      let span: SubscriptionDiagram? = if let text = observer.subscription { try subscription(text) } else { nil }
      var line = MarblePicture.Line(name, diagram, left: span?.unsubscribed)
      line.begin = span?.subscribed ?? 0
      picture.rows.append(.line(line))
      if diagram.events.last?.event.isEnd != true, span?.unsubscribed == nil {
        picture.end = max(picture.end ?? 0, diagram.end)
      }
      for (key, text) in windows.sorted(by: { $0.key < $1.key }) {
        guard let begin = line.moments.first(where: { $0.events.contains(.value(key)) })?.nanoseconds else { continue }
        picture.rows.append(
          .line(
            MarblePicture.Line("window \(key)", try self.diagram(text, .expectation), offset: begin, opener: key)))
      }
    }
  }

  /// The parsed diagram in a test case of the parser.
  private var reading: MarblePicture.Line {
    let frame = MarbleDiagram.defaultFrame.exactNanoseconds ?? 1_000_000
    var moments: [MarblePicture.Moment] = []
    for event in frames {
      let kind: MarblePicture.Event =
        switch event.event {
        case "|": .finished
        case "#": .failed(nil)
        default: .value(event.event)
        }
      let time = frame.multipliedReportingOverflow(by: Int64(event.time)).partialValue
      if moments.last?.nanoseconds == time {
        moments[moments.count - 1].events.append(kind)
      } else {
        moments.append(MarblePicture.Moment(nanoseconds: time, events: [kind]))
      }
    }
    return MarblePicture.Line("read as", moments: moments, begin: min(0, moments.first?.nanoseconds ?? 0))
  }

  /// Writes short meanings into the marbles, and longer ones below.
  private func addMeanings(to picture: inout MarblePicture) {
    let meanings = values.mapValues(\.description)
    if meanings.values.allSatisfy({ $0.count <= MarblePicture.longestMeaning }) {
      picture.relabel(meanings)
    } else {
      picture.keys += meanings.sorted { $0.key < $1.key }.map { MarblePicture.Key(.value($0.key), $0.value) }
    }
    let all = errors.merging(expectedErrors) { first, _ in first }
    picture.keys += all.sorted { $0.key < $1.key }.map { name, value in
      MarblePicture.Key(.failed(name.isEmpty ? nil : name), value.description)
    }
  }

  private func diagram(_ text: MarbleText, _ role: MarbleRole) throws(MarbleSyntaxError) -> MarbleDiagram {
    try ParsedMarbleDiagram(text, role: role, dialect: dialect).diagram
  }

  private func subscription(_ text: MarbleText) throws(MarbleSyntaxError) -> SubscriptionDiagram {
    try SubscriptionDiagram(text.string, dialect: dialect, source: text.source)
  }
}
