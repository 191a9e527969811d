// Everybody here has the locks without a further import, and so has the core: nothing of that room is public.
@_exported public import SignalLocks
