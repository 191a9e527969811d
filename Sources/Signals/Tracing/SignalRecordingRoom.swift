// Part of the library's interface: sites, recorders and scopes. Programs that use `Signals` need no second import for them.
@_exported public import SignalRecording

// What operators declare of themselves; the rest of the graph's model has names that programs use for things of their own, such as `Node`.
@_exported public import struct SignalGraph.OperatorBehavior
