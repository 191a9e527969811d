extension Signal {
  /// Gives the operator that it is called on a name, which the graph and leak reports show.
  ///
  /// ![named, as a marble diagram](named)
  ///
  /// ```text
  /// source   -a-b-|
  ///          source.named("search text")
  /// result   -a-b-|
  /// ```
  ///
  /// ```swift
  /// let bag = DisposeBag()
  /// let keystrokes = Emitter<String>()
  /// keystrokes.signal
  ///   .debounce(for: .milliseconds(300), on: .main).named("search text")
  ///   .subscribe { text in print(text) }
  ///   .store(in: bag)
  /// ```
  ///
  /// - **Errors:** pass through.
  /// - **Ends:** with the source.
  /// - **Order and threads:** values come in order, where the source delivers them.
  /// - **Allocations:** none for a value. While the graph is off, it costs nothing at all.
  ///
  /// - Parameter name: What the operator is called. It need not be unique: chains that should not be told apart may share a name.
  public func named(_ name: String) -> Signal<Value> {
    let upstream = self
    return Signal(.hidden, derivedFrom: self) { downstream, subscription in
      upstream.connect(downstream, subscription, named: name)
    }
  }

  /// Gives the operator that it is called on a name, and says that what passes goes out to a channel between programs, or has come in from one.
  ///
  /// ![named, as a marble diagram](named-link)
  ///
  /// ```text
  /// source   -a-b-|
  ///          source.named("send orders", link: .to("orders"))
  /// result   -a-b-|
  /// ```
  ///
  /// ```swift
  /// let bag = DisposeBag()
  /// let orders = Emitter<String>()
  /// orders.signal
  ///   .map { order in Array(order.utf8) }.named("send orders", link: .to("orders"))
  ///   .subscribe { bytes in print(bytes) }
  ///   .store(in: bag)
  /// ```
  ///
  /// It stands where a chain ends in a socket, a queue, a file or a call over HTTP; and with `.from` where a source stands for what comes in. It sends
  /// nothing: it is a word for pictures. Where another program gives the other end the same name, `signal-viz render --every-program` joins both.
  ///
  /// - **Errors:** pass through.
  /// - **Ends:** with the source.
  /// - **Order and threads:** values come in order, where the source delivers them.
  /// - **Allocations:** none for a value. While the graph is off, it costs nothing at all.
  ///
  /// An operator may be an end of several channels; of several names the one nearest to the subscriber counts.
  ///
  /// - Parameters:
  ///   - name: What the operator is called. It need not be unique.
  ///   - link: The channel, and whether values go out or come in.
  ///
  /// See also ``named(_:)``.
  public func named(_ name: String, link: ChannelLink) -> Signal<Value> {
    let upstream = self
    return Signal(.hidden, derivedFrom: self) { downstream, subscription in
      upstream.connect(downstream, subscription, named: name, link: link)
    }
  }
}
