extension Signal {
  /// Names the operator that it is called on, for the graph and leak reports.
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
  /// - **Allocations:** none for a value. While the graph is off, a value passes at no cost.
  ///
  /// Of several names in a chain the one nearest to the subscriber counts. A source with several subscribers, such as
  /// an emitter, keeps the first name that one of their chains gives it.
  ///
  /// - Parameter name: The operator's name. It need not be unique: chains that need not be distinguished may share a
  ///   name.
  public func named(_ name: String) -> Signal<Value> {
    let upstream = self
    return Signal(.hidden, derivedFrom: self) { downstream, subscription in
      upstream.connect(downstream, subscription, named: name)
    }
  }

  /// Names the operator that it is called on, and declares it as an end of a channel between programs.
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
  /// Use it where a chain ends in a socket, a queue, a file or an HTTP call; and with `.from` on a source of incoming
  /// values. It sends nothing and serves only drawings. If another program gives the other end the same name,
  /// `signal-viz render --every-program` connects both.
  ///
  /// - **Errors:** pass through.
  /// - **Ends:** with the source.
  /// - **Order and threads:** values come in order, where the source delivers them.
  /// - **Allocations:** none for a value. While the graph is off, a value passes at no cost.
  ///
  /// An operator may be an end of several channels; of several names, the one nearest to the subscriber is used.
  ///
  /// - Parameters:
  ///   - name: The operator's name. It need not be unique.
  ///   - link: The channel and its direction.
  ///
  /// See also ``named(_:)``.
  public func named(_ name: String, link: ChannelLink) -> Signal<Value> {
    let upstream = self
    return Signal(.hidden, derivedFrom: self) { downstream, subscription in
      upstream.connect(downstream, subscription, named: name, link: link)
    }
  }
}
