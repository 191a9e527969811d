import Foundation
import MainQueueTrial

// The main queue is served by a run loop.
Task { await MainQueueTrial().run() }
RunLoop.main.run()
