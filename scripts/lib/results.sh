# Sourced by the scripts: runs tests, and counts them from what `swift test` says of both frameworks.

# run_tests LOG COMMAND...: shows and keeps what the command says; ends the script when a test fails or none ran.
run_tests() {
  local log=$1 status=0
  shift
  "$@" 2>&1 | tee "$log" || status=$?
  if [ "$status" -ne 0 ]; then
    say "$(tests_passed "$log") passed, $(tests_failed "$log") failed. Details: $log"
    exit 1
  fi
  [ "$(tests_passed "$log")" -gt 0 ] || fail "No test ran: $*. Details: $log"
}

# Swift Testing ends each test with a line of its own. XCTest sums up for each suite; the outermost sum is the largest.
tests_passed() {
  awk '
    $2 == "Test" && $0 !~ / Test run with / && / passed after / { passed++ }
    $1 == "Executed" { tests = $2 + 0; failures = $5 + 0; if (tests > xctests) { xctests = tests; broken = failures } }
    END { print passed + xctests - broken }' "$1"
}

tests_failed() {
  awk '
    $2 == "Test" && $0 !~ / Test run with / && / failed after / { failed++ }
    $1 == "Executed" { tests = $2 + 0; failures = $5 + 0; if (tests > xctests) { xctests = tests; broken = failures } }
    END { print failed + broken }' "$1"
}
