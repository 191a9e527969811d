// Part of the library's interface: sites, recorders and scopes. Programs that use `Signals` need no second import for them.
@_exported public import SignalRecording
