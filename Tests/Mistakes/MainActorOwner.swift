import Signals

// The cure: `.subscribe(onMainWith: self) { bar, title in bar.title = title }`.
@MainActor final class TitleBar {
  var title = ""

  func watch() {
    users.signal
      .map(\.name)
      .removeDuplicates()
      .subscribe(with: self) { bar, title in bar.title = title }  // error: main actor-isolated property 'title'
  }
}
