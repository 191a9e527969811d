import SignalCocoa
import Signals
import SwiftUI

/// A view as a user of SwiftUI writes it.
struct NameField: View {
  @State private var name: ObservableValue<String>
  private let saved: Signal<Void>

  init(_ name: Property<String>, _ saved: Signal<Void>) {
    _name = State(initialValue: ObservableValue(name))
    self.saved = saved
  }

  var body: some View {
    TextField("Name", text: name.binding)
      .onValue(of: saved) { print("saved") }
  }
}
