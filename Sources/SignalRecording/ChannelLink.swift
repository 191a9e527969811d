package import SignalGraph

/// Says that what passes a step goes out to a channel between programs, or has come in from one: a socket, a queue, a file, calls over HTTP.
///
/// ```swift
/// import Signals
///
/// let orders = Emitter<String>()
/// let sending = orders.signal.map { $0.utf8.count }.named("send orders", link: .to("orders"))
///   .subscribe { size in print(size) }
/// ```
///
/// Two programs mean the same channel where they call it by the same name. `signal-viz render --every-program` draws all programs in one picture,
/// and an arrow where one's `.to` is another's `.from`. Nothing is sent or opened: it is a word for the picture.
public struct ChannelLink: Hashable, Sendable {
  package let end: ChannelEnd

  /// What passes goes out to a channel.
  ///
  /// - Parameter channel: What the channel is called, in all programs that use it.
  public static func to(_ channel: String) -> ChannelLink { ChannelLink(end: ChannelEnd(.to, channel)) }

  /// What passes has come in from a channel.
  ///
  /// - Parameter channel: What the channel is called, in all programs that use it.
  public static func from(_ channel: String) -> ChannelLink { ChannelLink(end: ChannelEnd(.from, channel)) }
}
