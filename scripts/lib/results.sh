# Sourced by the scripts: builds and runs tests, and counts them from what `swift test` says of both frameworks.

. scripts/lib/progress.sh

# build_quietly LOG COMMAND...: shows how far a build is; ends the script when it fails.
build_quietly() {
  local log=$1
  shift
  with_progress "$log" 0 "$@" || {
    tail -n 20 "$log"
    fail "It does not build: $*. Details: $log"
  }
}

# run_tests LOG TOTAL COMMAND...: shows how far the tests are, and what is wrong; ends the script when a test fails or none ran. TOTAL is
# their number; 0 when it is not known.
run_tests() {
  local log=$1 total=$2
  shift 2
  with_progress "$log" "$total" "$@" || {
    # A crash, or a build that fails: the last words say more than the tests that passed.
    [ "$(tests_failed "$log")" -gt 0 ] || tail -n 20 "$log"
    fail "$(tests_passed "$log") passed, $(tests_failed "$log") failed. Details: $log"
  }
  [ "$(tests_passed "$log")" -gt 0 ] || fail "No test ran: $*. Details: $log"
}

# Swift Testing ends each test with a line of its own, and the run with a sum: lines of several threads may come on one, so the sum counts once it is
# there. XCTest sums up for each suite; the outermost sum is the largest.
tests_passed() {
  awk '
    $2 == "Test" && $0 !~ / Test run with / && / passed after / { passed++ }
    $2 == "Test" && $0 !~ / Test run with / && / failed after / { failed++ }
    / Test run with / { all = $0; sub(/.* Test run with /, "", all); runs += all; passed = runs - failed }
    $1 == "Executed" { tests = $2 + 0; failures = $5 + 0; if (tests > xctests) { xctests = tests; broken = failures } }
    END { print passed + xctests - broken }' "$1"
}

tests_failed() {
  awk '
    $2 == "Test" && $0 !~ / Test run with / && / failed after / { failed++ }
    $1 == "Executed" { tests = $2 + 0; failures = $5 + 0; if (tests > xctests) { xctests = tests; broken = failures } }
    END { print failed + broken }' "$1"
}
