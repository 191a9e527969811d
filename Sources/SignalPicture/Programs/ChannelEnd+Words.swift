import SignalGraph

extension ChannelEnd {
  /// At most this many ends are told of a box.
  static let toldOfABox = 4

  /// Such as "to orders".
  package var words: String { "\(direction.rawValue) \(name.displayable(limit: 40))" }

  /// Such as "goes out to channel “orders”".
  package var sentence: String {
    switch direction {
    case .to: "goes out to channel “\(name.displayable(limit: 60))”"
    case .from: "comes in from channel “\(name.displayable(limit: 60))”"
    }
  }

  /// Such as "to orders: no receiver here".
  ///
  /// - Parameter hasSilent: Whether a program that has not answered may be the other end.
  fileprivate func unjoinedWords(_ hasSilent: Bool) -> String {
    switch direction {
    case .to: "\(words): no receiver \(hasSilent ? "answered" : "here")"
    case .from: "\(words): no sender \(hasSilent ? "answered" : "here")"
    }
  }
}

extension GraphPicture.Box {
  /// What is said of the channels of which it is an end; nothing of those that are drawn as links.
  var channelWords: [String] {
    let ends = (place?.unjoined ?? channels).sorted()
    let words = ends.prefix(ChannelEnd.toldOfABox).map { end in
      place.map { end.unjoinedWords($0.hasSilent) } ?? end.words
    }
    let more = ends.count - words.count
    return more > 0 ? words + ["and \(more.grouped) channels more"] : words
  }
}
