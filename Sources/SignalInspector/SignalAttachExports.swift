// Part of the library's interface: where a program is served, and why it is not. Programs that use `SignalInspector` need no second import for them.
@_exported public import enum SignalAttach.AttachError
@_exported public import struct SignalAttach.SocketDirectory
