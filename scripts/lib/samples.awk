# Writes each ```swift block of doc comments (.swift) and of articles (.md) into a file of its own, and prints the names of these files.
#
#   awk -v folder=DIRECTORY -f scripts/lib/samples.awk FILES...
#
# A block after the line <!-- continued --> is written together with the block before it. Each file imports the module of its example, and has
# #sourceLocation directives, so that the compiler names the original location.

function begin() {
  if (!continued || path == "" || first[path] != FILENAME) {
    count++
    path = sprintf("%s/%04d.swift", folder, count)
    first[path] = FILENAME
    print path
    printf "" > path
  } else {
    printf "\n#sourceLocation()\n" >> path
  }
  imports = "import Signals"
  module = FILENAME
  if (sub(/^Sources\//, "", module) && sub(/\/.*/, "", module) && module ~ /^[A-Z]/) {
    # Users import the types of these from a product.
    sub(/^SignalMarbles$/, "SignalTesting", module)
    sub(/^SignalPicture$/, "SignalRendering; import SignalTesting", module)
    imports = imports "; import " module
  }
  printf "%s\n#sourceLocation(file: \"%s\", line: %d)\n", imports, FILENAME, FNR + 1 >> path
  continued = 0
  isTest = 0
  inside = 1
}

function give_up(what) {
  printf "%s:%d: %s\n", FILENAME, FNR, what > "/dev/stderr"
  failed = 1
  exit 1
}

FNR == 1 {
  if (inside) give_up("the file before this one ends inside a sample")
  isSource = FILENAME ~ /\.swift$/
  other = 0
  continued = 0
}

{
  line = $0
  if (isSource) {
    if (!sub(/^[ \t]*\/\/\/ ?/, "", line)) {
      if (inside) give_up("a sample ends without ```")
      other = 0
      continued = 0
      next
    }
  }
  if (inside) {
    if (line ~ /^[ \t]*```[ \t]*$/) {
      if (isTest) printf "#sourceLocation()\nimport Testing\n" >> path
      inside = 0
      close(path)
    } else {
      if (line ~ /@(Test|Suite)/) isTest = 1
      # A list item indents its example.
      sub("^" indent, "", line)
      print line >> path
    }
  } else if (other) {
    if (line ~ /^[ \t]*```[ \t]*$/) other = 0
  } else if (line ~ /^[ \t]*```swift[ \t]*$/) {
    indent = line
    sub(/```.*/, "", indent)
    begin()
  } else if (line ~ /^[ \t]*```/) {
    other = 1
  } else if (line ~ /^[ \t]*<!-- continued -->[ \t]*$/) {
    continued = 1
  } else if (line !~ /^[ \t]*$/) {
    continued = 0
  }
}

END { if (inside && !failed) give_up("a sample ends without ```") }
