#if canImport(SwiftUI)
  public import Signals
  public import SwiftUI

  extension ObservableValue {
    /// The value as a binding, for a view that changes it.
    ///
    /// ```text
    /// struct NameField: View {
    ///   @State private var name: ObservableValue<String>
    ///
    ///   init(_ name: Property<String>) { _name = State(initialValue: ObservableValue(name)) }
    ///
    ///   var body: some View { TextField("Name", text: name.binding) }
    /// }
    /// ```
    public var binding: Binding<Value> {
      Bindable(self).value
    }
  }

  extension View {
    /// Runs a closure with each value of a signal as long as the view is shown.
    ///
    /// Another signal or closure is used when the view appears again. To replace them while it is shown, change the
    /// view's `id(_:)` too.
    ///
    /// - Parameters:
    ///   - signal: The signal. It is subscribed to when the view appears, and unsubscribed when it disappears.
    ///   - action: Called with each value, on the main actor.
    public func onValue<Value: Sendable>(
      of signal: Signal<Value>,
      fileID: StaticString = #fileID, line: UInt = #line, function: StaticString = #function,
      perform action: @escaping @MainActor (Value) -> Void
    ) -> some View {
      modifier(ValueActions(signal, action, fileID, line, function))
    }
  }

  private struct ValueActions<Value: Sendable>: ViewModifier {
    @State private var bag = DisposeBag()
    let signal: Signal<Value>
    let action: @MainActor (Value) -> Void
    let fileID: StaticString
    let line: UInt
    let function: StaticString

    init(
      _ signal: Signal<Value>, _ action: @escaping @MainActor (Value) -> Void, _ fileID: StaticString, _ line: UInt,
      _ function: StaticString
    ) {
      (self.signal, self.action) = (signal, action)
      (self.fileID, self.line, self.function) = (fileID, line, function)
    }

    func body(content: Content) -> some View {
      content
        .onAppear {
          bag.disposeAll()
          bag += signal.subscribeOnMain(fileID: fileID, line: line, function: function, onValue: action)
        }
        .onDisappear { bag.disposeAll() }
    }
  }
#endif
