# Prints a line for each step of a DocC tutorial with Swift code: the reader's files at that step, each in its latest version.
#
#   awk -v folder=RESOURCES -f scripts/lib/tutorial.awk FILE.tutorial

match($0, /@Code\(name: "[^"]*\.swift", file: "[^"]*\.swift"/) {
  split(substr($0, RSTART, RLENGTH), parts, "\"")
  if (!(parts[2] in newest)) names[++count] = parts[2]
  newest[parts[2]] = folder "/" parts[4]
  line = ""
  for (i = 1; i <= count; i++) line = line (i > 1 ? " " : "") newest[names[i]]
  print line
}
