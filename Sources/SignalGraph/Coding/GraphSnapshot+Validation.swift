extension GraphSnapshot {
  /// Checks that identifiers are unique and that all references of nodes and edges resolve.
  ///
  /// - Throws: The first problem in the order definitions, nodes, edges.
  /// - Complexity: O(definitions + nodes + edges).
  public func validate() throws(GraphSnapshotError) {
    if version > Self.currentVersion {
      throw .newerVersion(found: version, supported: Self.currentVersion)
    }
    var definitionIDs = Set<Int>()
    for definition in definitions where !definitionIDs.insert(definition.id).inserted {
      throw .duplicateDefinition(id: definition.id)
    }
    var nodeIDs = Set<UInt64>()
    for node in nodes {
      guard nodeIDs.insert(node.id).inserted else { throw .duplicateNode(id: node.id) }
      guard definitionIDs.contains(node.definition) else {
        throw .unknownDefinition(node: node.id, definition: node.definition)
      }
    }
    for (index, edge) in edges.enumerated() {
      for end in [edge.source, edge.target] where !nodeIDs.contains(end) {
        throw .unknownNode(index: index, node: end)
      }
    }
  }
}
