// Brings what is shown up to date without putting anything else in its place: so focus, what is being read and what the pointer is on stay.

/** Makes the children of an element those of another one, which is used up. Children with the same `data-item` are the same thing. */
export function patch(shown, wanted) {
  const focused = document.activeElement;
  fill(shown, wanted);
  // What was moved has lost the focus, though it is still there.
  if (focused !== document.activeElement && focused?.isConnected) focused.focus({ preventScroll: true });
}

function fill(shown, wanted) {
  const items = new Map();
  for (const child of shown.children) if (child.dataset.item) items.set(child.dataset.item, child);
  let place = shown.firstChild;
  for (const child of [...wanted.childNodes]) {
    const item = child.dataset?.item;
    const known = item ? items.get(item) : place;
    if (!isAlike(known, child) || (!item && known.dataset?.item)) {
      shown.insertBefore(child, place);
      continue;
    }
    if (known === place) place = place.nextSibling;
    else shown.insertBefore(known, place);
    update(known, child);
  }
  while (place) {
    const next = place.nextSibling;
    place.remove();
    place = next;
  }
}

function isAlike(one, other) {
  return one?.nodeType === other.nodeType && one.nodeName === other.nodeName;
}

function update(shown, wanted) {
  if (shown.nodeType !== Node.ELEMENT_NODE) {
    if (shown.data !== wanted.data) shown.data = wanted.data;
    return;
  }
  for (const { name, value } of wanted.attributes) if (shown.getAttribute(name) !== value) shown.setAttribute(name, value);
  for (const { name } of [...shown.attributes]) if (!wanted.hasAttribute(name)) shown.removeAttribute(name);
  shown.onclick = wanted.onclick;
  fill(shown, wanted);
}
