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

/** What two decimals would make 0 keeps its first digits: 0.004. */
export const small = (number) =>
  number && Math.abs(number) < 0.01 ? String(Number(number.toPrecision(3))) : short(number);

/** What wins have grown by, with its sign: +1, +½, −0.0001. A trillionth of them is rounding. */
export function gained(before, after) {
  const gain = Math.abs(after - before) > 1e-12 * Math.abs(after) ? after - before : 0;
  const size = Math.abs(gain);
  const text = 0 < size && size < 0.01 ? precise(size) : short(size);
  return `${gain < 0 ? "−" : "+"}${text.replace(/(\.\d*?)0+$/, "$1").replace(/^0\.5$/, "½")}`;
}

/** As many decimals as a difference needs, at least two. */
export const decimals = (difference, most = 15) =>
  difference > 0 && difference < 1
    ? Math.max(2, Math.min(most, Math.ceil(-Math.log10(difference))))
    : 2;

/** A positive difference: 0.25, 0.0004. */
export const precise = (difference) =>
  difference > 0 && difference < 1e-20
    ? difference.toPrecision(1) // 4e-21
    : difference.toFixed(decimals(difference, 20));

const SHORTEST = 5; // letters that are never shortened

/** A move's name where there is little room: its numbers, "2·2" for "2 from heap 2", else its beginning. */
export function shortName(label) {
  if (label.length <= SHORTEST) return label;
  const numbers = label.match(/[-−]?\d+(\.\d+)?/g);
  return numbers ? numbers.join("·") : `${label.slice(0, SHORTEST - 1)}…`;
}

/** A count on a card: from 1,000 on in thousands, 9.2k. */
export const rounded = (number) =>
  Math.abs(number) < 1000
    ? short(number)
    : Math.abs(number) < 99_950
      ? `${(number / 1000).toFixed(1)}k`
      : `${(number / 1000).toFixed(0)}k`; // halves away from zero, as in Python
