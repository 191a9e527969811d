# Each marked line needs a comment "Safe:", on it or among the comments, attributes and marked lines straight above it.
# A reason of a type, or above one of its variables, for unchecked exclusivity applies to all variables of the type.
function forget(depth, key) { for (key in covered) if (key + 0 >= depth) delete covered[key] }
FNR == 1 { reason = ""; forget(0) }
{
  code = $0
  gsub(/"[^"]*"/, "\"\"", code)
  sub(/\/\/.*/, "", code)
  match(code, /^ */); depth = RLENGTH
  if ($0 ~ /^ *\/\/ / || $0 ~ /\/\/ Safe: ./) reason = reason $0
  given = reason ~ /\/\/ Safe: ./
  isType = code ~ /(^| )(class|struct|enum|actor|extension) [A-Z]/
  isExclusive = code ~ /@exclusivity\(unchecked\)/
  isMarked = isExclusive || code ~ /@unchecked Sendable|nonisolated\(unsafe\)|unowned\(unsafe\)|unsafeBitCast|unsafeDowncast|[^A-Za-z.](usleep|nanosleep)\(|Thread\.sleep/
  if (isType) { forget(depth); if (given && reason ~ /xclusivity/) covered[depth] = 1 }
  if (isExclusive) {
    isCovered = given
    for (key in covered) if (key + 0 < depth) isCovered = 1
    if (given) covered[depth - 1] = 1
    if (!isCovered) print FILENAME ":" FNR ":" $0
  } else if (isMarked && !given) print FILENAME ":" FNR ":" $0
  isHeld = isMarked || $0 ~ /^ *\/\// || code ~ /^ *(@[A-Za-z_]+(\([^)]*\))? *)+$/
  if (!isHeld) reason = ""
}
