import OperatorCatalogue

extension Plan: CustomStringConvertible {
  /// The plan as a program would say it.
  var description: String {
    var lines: [String] = []
    for (index, hot) in hots.enumerated() {
      let text =
        switch hot {
        case .emitter(let replay): "Emitter<Int>(replay: \(replay))"
        case .property: "Property(0)"
        case .objects(let replay, let step):
          "Emitter<Object>(replay: \(replay)) // some objects in deinit: \(text(step))"
        }
      lines.append("let hot\(index) = \(text)")
    }
    for (index, hub) in hubs.enumerated() {
      lines.append("let hub\(index) = \(text(hub.chain)).share(replay: \(hub.replay))")
    }
    for (index, part) in receivers.enumerated() where isUsed(receiver: index) {
      let receiver = part.value
      var line = "let receiver\(index) = \(text(receiver.chain))"
      if let visit = receiver.visit?.value { line += ".map { /* value \(visit.at): \(text(visit.step)) */ }" }
      line += subscribing(receiver.owner, index)
      for reaction in receiver.reactions { line += " /* call \(reaction.value.at): \(text(reaction.value.step)) */" }
      if let step = receiver.atRelease { line += " /* captures an object with deinit: \(text(step.value)) */" }
      lines.append(line + " }" + (receiver.bag.map { " // in bag\($0)" } ?? ""))
    }
    for (index, steps) in threads.enumerated() where !steps.isEmpty {
      lines.append("thread \(index): " + steps.map { text($0.value) }.joined(separator: "; "))
    }
    lines.append(
      "then all sources \(finishes ? "end" : "are left"); operators use \(usesQueue ? "a queue" : "virtual time")")
    return lines.map { "    " + $0 }.joined(separator: "\n")
  }

  private func subscribing(_ owner: OwnerPlan?, _ index: Int) -> String {
    switch owner {
    case nil: ".subscribe {"
    case .object: ".subscribe(with: owner\(index)) {"
    case .bagOwner: ".subscribe(with: bagOwner\(index)) {"
    case .boundBag: ".subscribe(with: owner\(index), in: DisposeBag(owner: owner\(index))) {"
    case .onMain: ".subscribe(onMainWith: owner\(index)) {"
    case .actor: ".subscribe(onActor: owner\(index)) {"
    }
  }

  private func isUsed(receiver: Int) -> Bool {
    let steps =
      threads.joined().map(\.value) + receivers.flatMap { $0.value.reactions.map(\.value.step) }
      + receivers.compactMap { $0.value.atRelease?.value } + receivers.compactMap { $0.value.visit?.value.step }
      + hots.compactMap { if case .objects(_, let step) = $0 { step } else { nil } }
    return steps.contains { if case .subscribe(receiver) = $0 { true } else { false } }
  }

  private func text(_ chain: ChainPlan) -> String {
    var text =
      switch chain.base {
      case .hot(let hot): "hot\(hot)"
      case .hub(let hub): "hub\(hub)"
      case .cold(let cold): "cold(\(cold))"
      }
    for row in chain.rows { text += ".\(Rows.all[row.value].description)" }
    if let at = chain.throwAt { text += ".map { /* value \(at.value) throws */ }" }
    return text
  }

  private func text(_ step: Step) -> String {
    switch step {
    case .send(let hot, let count): "hot\(hot).send x \(count)"
    case .sendOther: "other.send"
    case .finish(let hot): "hot\(hot).finish()"
    case .fail(let hot): "hot\(hot).fail()"
    case .silence(let hot): "hot\(hot).disposeAllSubscriptions()"
    case .subscribe(let receiver): "subscribe receiver\(receiver)"
    case .dispose(let receiver): "receiver\(receiver).dispose()"
    case .drop(let receiver): "release the subscription of receiver\(receiver)"
    case .emptyBag(let bag): "bag\(bag).disposeAll()"
    case .releaseOwner(let receiver): "release owner\(receiver)"
    case .churn(let hot, let count): "subscribe to hot\(hot) and dispose x \(count)"
    case .advance: "advance(by: .milliseconds(7))"
    case .snapshot: "snapshot"
    }
  }
}
