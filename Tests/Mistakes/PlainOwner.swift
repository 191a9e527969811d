import Signals

// The cure, for an object of the main actor's: `.subscribe(onMainWith: self) { label, text in label.text = text }`.
final class Label {
  var text = ""

  func watch() {
    users.signal
      .map(\.name)
      .removeDuplicates()
      .subscribe(with: self) { label, text in label.text = text }  // error: type 'Label' does not conform
  }
}
