# Compares the output of expected-failure tests with the comments in their source files; prints each difference, and exits with status 1 if there is one.
#
#   awk -f failures.awk TESTS.swift ... LOG
#   awk -v golden=DIRECTORY -v framework=NAME -f failures.awk TESTS.swift ... LOG
#
# With a directory, it also appends each message to the file DIRECTORY/TEST.txt, without paths and times.
#
# A line that has to be reported ends with the comment "// must fail: TEXT", where TEXT is part of the message; "with carets" before the colon requires a
# caret row, and "2 lines above" means a line further up. A test without such a comment has to pass.
# "without its test" means that the framework does not know the test: the run has to fail, and the test passes. "in its suite" means that the suite fails.

function bare(path) { sub(/.*\//, "", path); return path }

# The file of a test: its name without the "test" of XCTest.
function golden_file(name) {
  if (name ~ /^test[A-Z]/) name = tolower(substr(name, 5, 1)) substr(name, 6)
  return golden "/" name ".txt"
}

# A message for a golden file: without paths, times, and the prefix that Swift Testing writes before each line.
function kept(text, isIndented, list, count, i, result) {
  sub(/^failed - /, "", text)
  count = split(text, list, "\n")
  for (i = 1; i <= count; i++) {
    if (sub(/^↳ /, "", list[i])) isIndented = 1
    else if (isIndented) sub(/^  /, "", list[i])
    if (list[i] ~ /^ *(picture|graph): /) {
      # Files, which XCTest names; Swift Testing attaches them.
      sub(/\n+$/, "\n", result)
      continue
    }
    gsub(/\/[A-Za-z][^ :"]*\//, "", list[i])
    sub(/ +$/, "", list[i])
    result = result list[i] "\n"
  }
  sub(/\n+$/, "\n", result)
  return result
}

FNR == 1 { file = bare(FILENAME); isSource = FILENAME ~ /\.swift$/; isTest = 0 }

# What the generated tests for XCTest have instead: see scripts/lib/xctest.awk.
isSource && /^ *\/\/ XCTest: / { next }

isSource {
  if ($0 ~ /@Suite.* struct [A-Za-z0-9_]+/) {
    suite = $0
    sub(/.* struct /, "", suite)
    sub(/[^A-Za-z0-9_].*/, "", suite)
  }
  if ($0 ~ /@Test/ || $0 ~ /func test[A-Z]/) isTest = 1
  if ($0 ~ /func [A-Za-z0-9_]+\(/ && isTest) {
    name = $0
    sub(/.*func /, "", name)
    sub(/\(.*/, "", name)
    tests[++testCount] = name
    isTest = 0
  }
  if ($0 ~ /\/\/ must fail/) {
    marker = $0
    sub(/.*\/\/ must fail/, "", marker)
    colon = index(marker, ":")
    how = substr(marker, 1, colon - 1)
    line = FNR
    if (match(how, /[0-9]+ lines? above/)) line -= substr(how, RSTART, RLENGTH) + 0
    isKnown = how !~ /without its test/
    isInSuite = how ~ /in its suite/
    key = (isInSuite ? suite : isKnown ? name : "«unknown»") " at " file ":" line
    wanted[++wantedCount] = key
    text[key] = substr(marker, colon + 2)
    owner[key] = name
    wantsCarets[key] = how ~ /with carets/
    if (isKnown) mustFail[name] = 1
    else isUnattributed[name] = 1
    if (isInSuite) mustFail[suite] = 1
  }
  next
}

# Swift Testing: ... Test NAME(...) recorded an issue ... at FILE:LINE:COLUMN: Issue recorded
/ (Test|Suite) .* recorded an issue / {
  name = $0
  sub(/.* (Test|Suite) /, "", name)
  sub(/(\(| recorded an issue ).*/, "", name)
  place = $0
  sub(/.* at /, "", place)
  split(place, parts, ":")
  current = name " at " bare(parts[1]) ":" parts[2]
  reported[++reportedCount] = current
  message[current] = ""
  next
}

# XCTest: FILE:LINE: error: CLASS.NAME : failed - MESSAGE
/: error: [A-Za-z0-9_]+\.[A-Za-z0-9_]+ : / {
  place = $0
  sub(/: error: .*/, "", place)
  name = $0
  sub(/.*: error: [A-Za-z0-9_]+\./, "", name)
  rest = name
  sub(/ : .*/, "", name)
  sub(/^[^:]* : /, "", rest)
  current = name " at " bare(place)
  reported[++reportedCount] = current
  message[current] = rest "\n"
  next
}

# The process itself, at its end: FILE:LINE: error: MESSAGE
/^\/[^ ]+\.swift:[0-9]+: error: / {
  place = $0
  sub(/: error: .*/, "", place)
  sub(/.*: error: /, "")
  current = "«unknown» at " bare(place)
  reported[++reportedCount] = current
  message[current] = $0 "\n"
  current = ""
  next
}

/^[^ ]+ Test [A-Za-z0-9_]+\(.*\) .*passed after / || /^Test Case .* passed / {
  name = $0
  if (name ~ /^Test Case /) {
    sub(/^[^.]*\./, "", name)
    sub(/'.*/, "", name)
  } else {
    sub(/^[^ ]+ Test /, "", name)
    sub(/\(.*/, "", name)
  }
  passed[name] = 1
}

# A disabled test passes. One without an argument passes if the process has to fail for it.
/^➜ Test [A-Za-z0-9_]+\(.*\) skipped/ {
  name = $0
  sub(/^[^ ]+ Test /, "", name)
  sub(/\(.*/, "", name)
  if ($0 !~ /No test cases found/ || name in isUnattributed) passed[name] = 1
}

/^(◇|✔|✘|━|⎙|➜|Test Case|Test Suite)/ { current = "" }

# A caret row is below other rows, or after the bar of a source line.
current != "" {
  if ($0 ~ /^ +(\| +)?\^[~^ ]*$/) hasCarets[current] = 1
  message[current] = message[current] $0 "\n"
}

function complain(sentence) { print "  " sentence; problems++ }

END {
  for (i = 1; i <= reportedCount; i++) times[reported[i]]++
  for (i = 1; i <= wantedCount; i++) {
    key = wanted[i]
    if (times[key] != 1) complain(key ": reported " (times[key] + 0) " times instead of once")
    else if (index(message[key], text[key]) == 0) complain(key ": the message does not contain \"" text[key] "\"")
    else if (wantsCarets[key] && !hasCarets[key]) complain(key ": no caret row")
    isWanted[key] = 1
  }
  for (key in times) if (!isWanted[key]) complain(key ": reported unexpectedly")
  for (i = 1; i <= testCount; i++) {
    if (tests[i] in mustFail && tests[i] in passed) complain(tests[i] ": passed, but must fail")
    if (!(tests[i] in mustFail) && !(tests[i] in passed)) complain(tests[i] ": did not pass")
  }
  if (golden != "") {
    for (i = 1; i <= reportedCount; i++) {
      key = reported[i]
      if (!isWanted[key]) continue
      place = key
      sub(/.* at /, "", place)
      printf "%s, %s\n%s\n", framework, place, kept(message[key]) >> golden_file(owner[key])
    }
  }
  if (wantedCount == 0 || testCount == 0) complain("there is no expected-failure test")
  if (problems) exit 1
  printf "%d failures, each at its line with its message; %d tests passed\n", wantedCount, testCount - length_of(mustFail)
}

function length_of(list, key, count) { for (key in list) count++; return count + 0 }
