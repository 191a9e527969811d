// Makes the locks available in this module, and in the core, without a further import: nothing of that module is
// public.
@_exported public import SignalLocks
