// Words and elements. Texts of programs go in as text, never as markup.

const SVG = "http://www.w3.org/2000/svg";

/** An element with attributes, and with children that are elements or texts. */
export function element(name, attributes = {}, ...children) {
  return fill(document.createElement(name), attributes, children);
}

/** The same for SVG. */
export function shape(name, attributes = {}, ...children) {
  return fill(document.createElementNS(SVG, name), attributes, children);
}

function fill(node, attributes, children) {
  for (const [key, value] of Object.entries(attributes)) {
    if (key === "onclick") node.onclick = value;
    else if (value !== undefined && value !== null && value !== false) node.setAttribute(key, value === true ? "" : value);
  }
  for (const child of children.flat(Infinity)) {
    if (child !== undefined && child !== null && child !== false) node.append(child);
  }
  return node;
}

const whole = new Intl.NumberFormat("en-GB", { maximumFractionDigits: 0, useGrouping: true });

/** A count: 1,234,567; from ten million on 12.3 M. */
export function count(value) {
  if (value < 1e7) return whole.format(value);
  const units = [[1e12, "T"], [1e9, "G"], [1e6, "M"]];
  const [size, unit] = units.find(([size]) => value >= size);
  return `${(value / size).toPrecision(3)} ${unit}`;
}

/** A rate: 0.3, 14, 1,200. */
export function rate(value) {
  if (!(value > 0)) return "0";
  return value < 9.95 ? String(Math.round(value * 10) / 10) : count(Math.round(value));
}

/** A time: 40 µs, 1.4 ms, 14 ms, 2.5 s, 12 min. */
export function duration(seconds) {
  if (!(seconds >= 0)) return "";
  if (seconds < 0.00095) return `${Math.round(seconds * 1e6)} µs`;
  if (seconds < 0.0095) return `${Math.round(seconds * 10000) / 10} ms`;
  if (seconds < 0.9995) return `${Math.round(seconds * 1000)} ms`;
  if (seconds < 9.95) return `${Math.round(seconds * 10) / 10} s`;
  if (seconds < 120) return `${Math.round(seconds)} s`;
  if (seconds < 7200) return `${Math.round(seconds / 60)} min`;
  if (seconds < 172800) return `${Math.round(seconds / 3600)} h`;
  return `${Math.round(seconds / 86400)} days`;
}

export function plural(number, one, many = `${one}s`) {
  return `${count(number)} ${number === 1 ? one : many}`;
}

/** How wide a letter is beside most others. */
function width(letter) {
  if (/^\p{M}/u.test(letter)) return 0;
  if (letter >= "\u1100") return 1.8;
  if ("mwMW@%—…".includes(letter)) return 1.6;
  if ("iljtfrI.,:;'|!()[] ".includes(letter)) return 0.7;
  return letter >= "A" && letter <= "Z" ? 1.2 : 1;
}

/** The text, or as much as fits into so many pixels, at so many for most letters. */
export function fitted(text, space, letter) {
  const letters = Array.from(text);
  const [most, rest] = [space / letter, 1.6];
  let [used, kept] = [0, 0];
  for (const [index, next] of letters.entries()) {
    used += width(next);
    if (used <= most - rest) kept = index + 1;
    if (used > most) return `${letters.slice(0, Math.max(1, kept)).join("")}…`;
  }
  return text;
}

/** What a box is called: by a name, if anything in it has one. */
export function boxTitle({ heading, parts }) {
  if (heading) return heading;
  const named = parts.findLast((part) => part.name);
  return named?.name ?? (parts.length > 1 ? `${parts[0].kind} … ${parts.at(-1).kind}` : parts[0].kind);
}

/** Sentences, in which names stand in code marks. */
export function sentence(words) {
  const text = /^[a-z]/.test(words) ? words.charAt(0).toUpperCase() + words.slice(1) : words;
  const parts = (/[.!?…]$/.test(text) ? text : `${text}.`).split("`");
  return parts.map((part, index) => (index % 2 ? element("code", {}, part) : part));
}

export const linkWords = {
  data: "values", trigger: "trigger", inner: "inner subscription", hop: "scheduler hop", feedback: "sent by a handler",
  sampled: "kept until asked for",
};
