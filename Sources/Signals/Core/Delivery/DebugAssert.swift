/// Stops the program when an internal rule of the library is broken, in debug builds only. In other builds it takes no
/// instruction, and the condition is not evaluated.
///
/// Not `assert`: where code of this module is inlined into a client, `assert` depends on how the client is built, while
/// the state that the rules are checked with (see ``ExclusiveUse``) depends on how this module was built. `#if` is
/// decided once, when this module is compiled, even for code that is inlined elsewhere; so the two always agree.
@inlinable
@inline(__always)
func debugAssert(
  _ isKept: @autoclosure () -> Bool, _ rule: @autoclosure () -> String,
  file: StaticString = #fileID, line: UInt = #line
) {
  #if DEBUG
    if !isKept() { fatalError("broken rule: \(rule())", file: file, line: line) }
  #endif
}
