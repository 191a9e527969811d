# Sourced by the scripts that build nested packages.
#
#   hide_graphviz      hides libgraphviz: a header and a library that break every build precede the system's copy. Sets the array `hidden`, options
#                      of SwiftPM. A package that builds is proven not to need libgraphviz.
#   build_of PACKAGE   prints the package's build directory. Packages without traits share one, so that they build the library once.

hide_graphviz() {
  # Always the same directory, to reuse the build.
  traps="$PWD/.build-packages/without-graphviz"
  rm -rf "$traps"
  mkdir -p "$traps/graphviz" "$traps/lib"
  local header library suffix
  for header in gvc cgraph cdt types; do
    printf '#error "libgraphviz is not installed"\n' >"$traps/graphviz/$header.h"
  done
  for library in gvc cgraph cdt; do
    for suffix in so dylib a; do
      printf 'libgraphviz is not installed\n' >"$traps/lib/lib$library.$suffix"
    done
  done
  # An empty directory hides libgvc.pc from pkg-config.
  export PKG_CONFIG_LIBDIR="$traps" PKG_CONFIG_PATH=
  hidden=(-Xcc "-I$traps" -Xswiftc "-I$traps" -Xlinker "-L$traps/lib")
}

build_of() {
  case "$1" in
    Examples/Server | Tests/WithTraits) printf '%s\n' "$PWD/.build-packages/${1##*/}" ;;
    *) printf '%s\n' "$PWD/.build-packages/shared" ;;
  esac
}
