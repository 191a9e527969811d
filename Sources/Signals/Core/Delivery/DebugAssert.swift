/// Ends the program when a rule of the library's own is broken; in debug builds only. In other builds it takes no instruction, and the
/// condition is not even looked at.
///
/// Not `assert`: where code of this module is inlined into a client, that asks how the client is built, while what the rules are checked with
/// (see ``ExclusiveUse``) is there or not according to how this module was built. `#if` is decided once, when this module is compiled, for
/// what is inlined elsewhere too; so the two always agree.
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
