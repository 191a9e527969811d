# Sourced by the scripts that run a variant of the tests: which suites of the core they run.

# suites_of ALL [--short]: prints the filter for `swift test`: all of the variant, or what is most likely to break in it.
suites_of() {
  case "${2-}" in
    "") printf '%s\n' "$1" ;;
    --short) printf '%s\n' '^SignalsTests\.(Law|.*Race)' ;;
    *) fail "there is no option \"$2\"; there is --short" ;;
  esac
}
