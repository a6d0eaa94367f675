// Numbers and sentences as all widgets say them.

/** A sentence with its slots filled. */
export const filled = (pattern, slots) => pattern.replace(/\{(\w+)\}/g, (_, name) => slots[name]);

/** Two decimals, or others; never "-0.00". */
export const fixed = (number, digits = 2) => number.toFixed(digits).replace(/^-(?=[0.]+$)/, "");

/** A score; whole numbers beyond 1, such as counts, have no decimals. */
export const scored = (number) =>
  Number.isInteger(number) && Math.abs(number) > 1 && Math.abs(number) < 1e15
    ? String(number)
    : fixed(number);

export const short = (number) => fixed(number).replace(/\.0+$|(\.\d*?)0+$/, "$1"); // 1e+30 stays
export const counted = (number, noun) => `${number} ${noun}${number === 1 ? "" : "s"}`;

/** 12,818 */
export const grouped = new Intl.NumberFormat("en").format;

const FIRST_DIGITS = 6; // that a number near 0 or 1 keeps

/** What two decimals would make 0 or 1 keeps its first digits: 0.004, 0.999. */
export function small(number) {
  const size = Math.abs(number);
  if (!((size > 0 && size < 0.01) || (size > 0.99 && size < 1))) return short(number);
  if (size < 1e-20) return number.toPrecision(1); // 4e-21
  const [, power] = number.toExponential().split("e");
  return number.toFixed(FIRST_DIGITS - 1 - power).replace(/\.?0+$/, "");
}

/** What wins have grown by, with its sign: +1, +½, −0.0001. A trillionth of them is rounding. */
export function gained(before, after) {
  const gain = Math.abs(after - before) > 1e-12 * Math.abs(after) ? after - before : 0;
  const size = Math.abs(gain);
  const text = 0 < size && size < 0.01 ? precise(size) : short(size);
  return `${gain < 0 ? "−" : "+"}${text.replace(/(\.\d*?)0+$/, "$1").replace(/^0\.5$/, "½")}`;
}

/** Both terms of a score, so that they are read as a sum: "0.60" and "+1.27"; nothing without them. */
export const addends = (terms, digits) =>
  terms.every(Number.isFinite)
    ? terms.map((term, place) => (place && term >= 0 ? "+" : "") + fixed(term, digits))
    : [];

const MOST_DECIMALS = 15; // a double has no more

/** As many decimals as a difference needs, at least two. */
export const decimals = (difference, most = MOST_DECIMALS) =>
  difference > 0 && difference < 1
    ? Math.max(2, Math.min(most, Math.ceil(-Math.log10(difference))))
    : 2;

const subtracted = (high, low, digits) =>
  fixed(Number(fixed(high, digits)) - Number(fixed(low, digits)), digits);

/**
 * So many decimals that a reader who subtracts two printed numbers has their difference: one more than it
 * needs where its own rounding and theirs do not agree.
 */
export function apart(high, low) {
  const digits = decimals(high - low);
  const agree = subtracted(high, low, digits) === fixed(high - low, digits);
  return agree || digits >= MOST_DECIMALS ? digits : digits + 1;
}

/** By how much one number is larger, as a reader has it who subtracts both as they are printed. */
export function lead(high, low) {
  const told = subtracted(high, low, apart(high, low));
  return Number(told) ? told : precise(high - low);
}

/** A positive difference: 0.25, 0.0004. */
export const precise = (difference) =>
  difference > 0 && difference < 1e-20
    ? difference.toPrecision(1) // 4e-21
    : difference.toFixed(decimals(difference, 20));

const SHORTEST = 5; // letters of a name that is never shortened
// A number that is a word of its own: that of "heap 2", not of "x.y:81/".
const NUMBER = /(?<![^ ([{,])[-−+]?\d+(?:\.\d+)?(?![^ )\]},:;])/g;

/**
 * Names of moves from one position where there is little room. A label stays as it is where its short name
 * is also another's name or label.
 */
export function shortNames(labels) {
  const names = labels.map(shortName);
  const isAlone = (name, place) =>
    names.every((other, at) => at === place || (other !== name && labels[at] !== name));
  return labels.map((label, place) => (isAlone(names[place], place) ? names[place] : label));
}

/** A move's name by itself: its numbers, "2·2" for "2 from heap 2", else its beginning; a sum is kept. */
function shortName(label) {
  const letters = [...label];
  if (letters.length <= SHORTEST) return label;
  if (label.includes(" = ") && !/\p{L}/u.test(label)) return label.split(" → ")[0];
  const numbers = label.match(NUMBER);
  return numbers ? numbers.join("·") : `${letters.slice(0, SHORTEST - 1).join("")}…`;
}

/**
 * What was chosen, and by how much its score leads its best rival's; not-a-number without one. So many
 * rivals scored the same; `tie` says why it is the chosen one, "" if that is not known.
 */
export function choice(move, own, rival, level, tie) {
  if (Number.isNaN(own - rival)) return `${move} is chosen`;
  if (own < rival)
    return `${move} is chosen, although another move scores ${lead(rival, own)} higher`;
  if (own > rival) return `${move} scores highest, by ${lead(own, rival)}`;
  const others = level === 1 ? "another" : `${level} others`;
  return `${move} scores highest, level with ${others}${tie && `; it was ${tie}`}`;
}

export const visited = (nodes) =>
  nodes === 1 ? "1 node gets one visit" : `${nodes} nodes get one visit each`;

/** A count on a card: from 1,000 on in thousands, 9.2k. */
export const rounded = (number) =>
  Math.abs(number) < 1000
    ? short(number)
    : Math.abs(number) < 99_950
      ? `${(number / 1000).toFixed(1)}k`
      : `${(number / 1000).toFixed(0)}k`; // halves away from zero, as in Python
