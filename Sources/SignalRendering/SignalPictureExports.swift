// Part of the library's interface: how a graph is drawn. Programs that use `SignalRendering` need no second import for them.
@_exported public import struct SignalPicture.DrawingOptions
@_exported public import struct SignalPicture.SourceLink
