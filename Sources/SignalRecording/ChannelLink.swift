package import SignalGraph

/// Declares a step as an end of a channel between programs: a socket, a queue, a file, HTTP calls.
///
/// ```swift
/// import Signals
///
/// let orders = Emitter<String>()
/// let sending = orders.signal.map { $0.utf8.count }.named("send orders", link: .to("orders"))
///   .subscribe { size in print(size) }
/// ```
///
/// Two programs refer to the same channel by the same name. `signal-viz render --every-program` draws all programs in
/// one drawing, with an arrow from one's `.to` to another's `.from`. Nothing is sent or opened: it serves only the
/// drawing.
public struct ChannelLink: Hashable, Sendable {
  package let end: ChannelEnd

  /// The step's values go out to a channel.
  ///
  /// - Parameter channel: The name of the channel, in all programs that use it.
  public static func to(_ channel: String) -> ChannelLink { ChannelLink(end: ChannelEnd(.to, channel)) }

  /// The step's values have come in from a channel.
  ///
  /// - Parameter channel: The name of the channel, in all programs that use it.
  public static func from(_ channel: String) -> ChannelLink { ChannelLink(end: ChannelEnd(.from, channel)) }
}
