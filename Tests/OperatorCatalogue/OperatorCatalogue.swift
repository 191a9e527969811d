/// Every operator and source of the library. Who adds one adds a row to one of these lists.
package enum OperatorCatalogue {
  package static let all = [
    sources,
    oneByOne,
    combining,
    flattening,
    joining,
    timed,
    placed,
    clocked,
    failures,
    own,
    selection,
    watching,
    collecting,
    values,
    asynchronous,
    observation,
    throttled,
  ].flatMap { $0 }

  /// Every way to use an operator.
  package static let forms = all.flatMap(\.forms)
}
