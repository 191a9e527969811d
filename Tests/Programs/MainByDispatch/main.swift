import Dispatch
import MainQueueTrial

// The main queue is served by `dispatchMain()`: there is no main thread any more.
Task { await MainQueueTrial().run() }
dispatchMain()
