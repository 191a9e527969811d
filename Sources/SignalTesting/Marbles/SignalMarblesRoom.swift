// Part of the library's interface: diagrams, and fixtures. Tests that use `SignalTesting` need no second import for them.
@_exported public import SignalMarbles
