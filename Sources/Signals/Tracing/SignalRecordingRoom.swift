// Part of the library's interface: sites, recorders and scopes. Programs that use `Signals` need no second import for
// them.
@_exported public import SignalRecording

// The behaviour that operators declare; the rest of the graph's model has names that programs often use themselves,
// such as `Node`.
@_exported public import struct SignalGraph.OperatorBehavior
