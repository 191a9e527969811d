# Sourced by the scripts: finds or installs their requirements besides Swift and git.
#
#   require_swift       exits if no Swift toolchain can build the package
#   swift_version       prints the version of the Swift toolchain
#   core_count          prints how many cores this process may use
#   require_valgrind    installs valgrind, which counts instructions
#   require_chromium    installs Chromium, for tests of the live page, and Python, which drives it; chromium_program prints its path
#   require_graphviz    installs libgraphviz with its headers, pkg-config, and a font for drawings

minimum_swift="6.2"

say() { printf '%s\n' "$*"; }

fail() {
  printf 'error: %s\n' "$*" >&2
  exit 1
}

# `nproc` respects `taskset`.
core_count() { nproc 2>/dev/null || getconf _NPROCESSORS_ONLN; }

has() { command -v "$1" >/dev/null 2>&1; }

swift_version() { swift --version 2>/dev/null | sed -n 's/.*Swift version \([0-9][0-9.]*[0-9]\).*/\1/p' | head -n 1; }

require_swift() {
  has git || fail "git is missing. Install it with your system's package manager, then run this again."
  has swift || fail "Swift is missing. Install Swift $minimum_swift or newer from https://www.swift.org/install, then run this again."
  local version
  version=$(swift_version | sed 's/^\([0-9]*\.[0-9]*\).*/\1/')
  [ -n "$version" ] || fail "\`swift --version\` does not work. Install Swift $minimum_swift or newer from https://www.swift.org/install."
  if [ "${version%%.*}" -lt "${minimum_swift%%.*}" ] ||
    { [ "${version%%.*}" -eq "${minimum_swift%%.*}" ] && [ "${version#*.}" -lt "${minimum_swift#*.}" ]; }; then
    fail "Swift $version is too old; this package needs $minimum_swift or newer, from https://www.swift.org/install."
  fi
}

require_valgrind() {
  has valgrind && return 0
  install_packages valgrind
  has valgrind || fail "valgrind was installed, but it is not on the PATH."
}

chromium_program() {
  local name
  for name in chromium chromium-browser google-chrome google-chrome-stable; do
    has "$name" && { command -v "$name"; return 0; }
  done
  name="/Applications/Google Chrome.app/Contents/MacOS/Google Chrome"
  [ -x "$name" ] && printf '%s\n' "$name"
}

require_chromium() {
  local wanted=()
  has python3 || wanted+=(python3)
  chromium_program >/dev/null || wanted+=(chromium)
  [ "${#wanted[@]}" -gt 0 ] || return 0
  install_packages "${wanted[@]}"
  has python3 || fail "Python was installed, but python3 is not on the PATH."
  chromium_program >/dev/null || fail "Chromium was installed, but it is not on the PATH."
}

require_graphviz() {
  local wanted=()
  has pkg-config || wanted+=(pkg-config)
  { has pkg-config && pkg-config --exists libgvc; } || wanted+=(graphviz)
  has_font || wanted+=(font)
  [ "${#wanted[@]}" -gt 0 ] || return 0
  install_packages "${wanted[@]}"
  has pkg-config && pkg-config --exists libgvc ||
    fail "libgraphviz was installed, but \`pkg-config --exists libgvc\` still does not find it. Add the directory of libgvc.pc to PKG_CONFIG_PATH."
  has_font || fail "A font was installed, but none is found in $(font_folders | tr '\n' ' ')."
}

font_folders() {
  printf '%s\n' /usr/share/fonts /usr/local/share/fonts "${HOME:-/nonexistent}/.fonts" \
    "${HOME:-/nonexistent}/.local/share/fonts" /System/Library/Fonts
}

has_font() {
  local folder
  while read -r folder; do
    [ -d "$folder" ] || continue
    [ -z "$(find -L "$folder" \( -iname '*.ttf' -o -iname '*.otf' -o -iname '*.ttc' \) -print 2>/dev/null | head -n 1)" ] || return 0
  done < <(font_folders)
  return 1
}

# Installs requirements by these names: pkg-config, graphviz, font, valgrind, chromium, python3.
install_packages() {
  local manager name packages=()
  manager=$(package_manager) ||
    fail "missing: $*. None of apt-get, dnf, apk and brew is available. Install them manually (graphviz: with its headers, libgvc; font: a TrueType font), then run this again."
  for name in "$@"; do packages+=("$(package_name "$manager" "$name")"); done
  say "Installing ${packages[*]} with $manager ..."
  "install_with_${manager//-/_}" "${packages[@]}" ||
    fail "$manager could not install ${packages[*]} (see above). Check the network and your permissions, or install them manually, then run this again."
}

package_manager() {
  local manager
  for manager in apt-get dnf apk brew; do
    if has "$manager"; then
      printf '%s\n' "$manager"
      return 0
    fi
  done
  return 1
}

package_name() {
  case "$1 $2" in
    "apt-get graphviz") echo libgraphviz-dev ;;
    "apt-get pkg-config") echo pkg-config ;;
    "apt-get font") echo fonts-dejavu-core ;;
    "dnf graphviz") echo graphviz-devel ;;
    "dnf pkg-config") echo pkgconf-pkg-config ;;
    "dnf font") echo dejavu-sans-fonts ;;
    *" valgrind") echo valgrind ;;
    *" chromium") echo chromium ;;
    *" python3") echo python3 ;;
    "apk graphviz") echo graphviz-dev ;;
    "apk pkg-config") echo pkgconf ;;
    "apk font") echo font-dejavu ;;
    "brew graphviz") echo graphviz ;;
    "brew pkg-config") echo pkgconf ;;
    "brew font") echo font-dejavu ;;
  esac
}

install_with_apt_get() {
  # The package lists may be missing or out of date: fetch them if the first attempt fails.
  apt_get_install "$@" && return 0
  say "Fetching the package lists ..."
  as_root apt-get update && apt_get_install "$@"
}

apt_get_install() {
  as_root env DEBIAN_FRONTEND=noninteractive \
    apt-get -o DPkg::Lock::Timeout=300 install --yes --no-install-recommends "$@"
}

install_with_dnf() { as_root dnf install --assumeyes "$@"; }

install_with_apk() { as_root apk add --no-cache "$@"; }

install_with_brew() { HOMEBREW_NO_AUTO_UPDATE=1 brew install "$@"; }

as_root() {
  if [ "$(id -u)" -eq 0 ]; then
    "$@"
  elif has sudo; then
    sudo "$@"
  else
    printf 'error: this needs root, and there is no sudo: %s\n' "$*" >&2
    return 1
  fi
}
