# Reduces what `swift-api-digester -dump-sdk` writes to what is public: leaves out each object with "isInternal": true (what is `package`, or usable
# from inlined code), and the indentation, which is more than a third of the text.
#
# The text has one bracket or one field in a line.

function add(text) { items[depth] = items[depth] == "" ? text : items[depth] ",\n" text }

{
  sub(/^ +/, "")
  sub(/,$/, "")
}

/[[{]$/ {
  depth++
  head[depth] = $0
  items[depth] = ""
  isInternal[depth] = 0
  next
}

/^[]}]$/ {
  text = head[depth] "\n" items[depth] "\n" $0
  wasInternal = isInternal[depth]
  depth--
  if (!wasInternal) add(text)
  next
}

{
  if ($0 == "\"isInternal\": true") isInternal[depth] = 1
  add($0)
}

END { print items[0] }
