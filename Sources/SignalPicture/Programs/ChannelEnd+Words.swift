import SignalGraph

extension ChannelEnd {
  /// The maximum number of channel ends listed for a box.
  static let toldOfABox = 4

  /// A label such as "to orders".
  package var words: String { "\(direction.rawValue) \(name.displayable(limit: 40))" }

  /// A sentence such as "goes out to channel “orders”".
  package var sentence: String {
    switch direction {
    case .to: "goes out to channel “\(name.displayable(limit: 60))”"
    case .from: "comes in from channel “\(name.displayable(limit: 60))”"
    }
  }

  /// Such as "to orders: no receiver here".
  fileprivate var unjoinedWords: String {
    switch direction {
    case .to: "\(words): no receiver here"
    case .from: "\(words): no sender here"
    }
  }
}

extension GraphPicture.Box {
  /// The labels of its channel ends, except those that are drawn as links.
  var channelWords: [String] {
    let ends = (place?.unjoined ?? channels).sorted()
    let words = ends.prefix(ChannelEnd.toldOfABox).map { place == nil ? $0.words : $0.unjoinedWords }
    let more = ends.count - words.count
    return more > 0 ? words + ["and \(more.grouped) channels more"] : words
  }
}
