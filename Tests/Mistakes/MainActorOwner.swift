import Signals

// The cure: `.subscribe(onMainWith: self) { bar, title in bar.title = title }`.
@MainActor final class TitleBar {
  var title = ""

  func watch() {
    users.signal
      .map(\.name)
      .removeDuplicates()
      .subscribe(with: self) { bar, title in bar.title = title }  // error: main actor-isolated property 'title' can not be mutated from a Sendable closure
  }
}
