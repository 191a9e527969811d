# Sourced by the scripts that read CHANGELOG.md.

# changelog_section NAME: prints the section of a version, or of Unreleased.
changelog_section() {
  awk -v heading="## [$1]" '
    /^## / { on = index($0, heading) == 1; next }
    on' CHANGELOG.md
}

# upgrade_notes NAME: prints the upgrade notes of that section.
upgrade_notes() {
  changelog_section "$1" | awk '/^### / { on = $0 == "### Upgrade notes"; next } on'
}
