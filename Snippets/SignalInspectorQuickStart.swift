import SignalInspector

// Early in the program, before the chains are made. Or run it with SIGNALS_INSPECT=1 and call startIfRequested().
let inspector = try await SignalInspector.start()
print("The graph is served at \(inspector.socketPath)")
