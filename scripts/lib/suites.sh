# Sourced by the scripts that run a variant of the tests: which suites of the core they run.

# suites_of ALL [--short]: prints the filter for `swift test`: all of the variant, or what is most likely to break in it.
suites_of() {
  case "${2-}" in
    "") printf '%s\n' "$1" ;;
    --short) printf '%s\n' '^SignalsTests\.(Law|OperatorLaw|.*Race)' ;;
    *) fail "there is no option \"$2\"; there is --short" ;;
  esac
}

# require_every_operator LOG: ends the script if the laws of the operators of the catalogue were not among the tests that ran.
require_every_operator() {
  grep -q 'Test "keeps the laws" with [1-9][0-9]* test cases passed' "$1" ||
    fail "The laws of the operators were not checked: OperatorLawTests is not in $1."
}
