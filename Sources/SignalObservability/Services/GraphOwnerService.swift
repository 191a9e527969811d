#if ServiceLifecycle
  public import ServiceLifecycle
  import SignalRecording

  extension Service {
    /// Returns this service as an owner in the live graph: everything that it creates while it runs belongs to it, and
    /// it is itself a node, with its end and its failure.
    ///
    /// ```swift
    /// import Logging
    /// import ServiceLifecycle
    /// import SignalObservability
    ///
    /// struct PriceService: Service {
    ///   func run() async throws {
    ///     // Traced sequences and subscriptions that are made here belong to "PriceService".
    ///     try await gracefulShutdown()
    ///   }
    /// }
    ///
    /// let group = ServiceGroup(services: [PriceService().graphOwner()], logger: Logger(label: "prices"))
    /// ```
    ///
    /// - Parameters:
    ///   - name: The owner's name; the name of the service's type by default.
    ///   - fileID: The file of the call.
    ///   - line: The line of the call.
    ///   - function: The function of the call.
    /// - Returns: A service that runs this one.
    public func graphOwner(
      _ name: String? = nil, fileID: StaticString = #fileID, line: UInt = #line, function: StaticString = #function
    ) -> some Service {
      GraphOwnerService(
        base: self, name: name ?? String(describing: Self.self), fileID: fileID, line: line, function: function)
    }
  }

  private struct GraphOwnerService<Base: Service>: Service {
    let base: Base
    let name: String
    let fileID: StaticString
    let line: UInt
    let function: StaticString

    func run() async throws {
      let reporter = GraphReporter("service", named: name, fileID: fileID, line: line, function: function)
      do {
        try await withGraphOwner(name) { try await base.run() }
        reporter.finish()
      } catch {
        if error is CancellationError { reporter.cancel() } else { reporter.fail(error) }
        throw error
      }
    }
  }
#endif
