// Numbers and sentences as all widgets say them.

/** A sentence with its slots filled. */
export const filled = (pattern, slots) => pattern.replace(/\{(\w+)\}/g, (_, name) => slots[name]);

/** Two decimals; never "-0.00". */
export const fixed = (number) => number.toFixed(2).replace(/^-0\.00$/, "0.00");

export const short = (number) => fixed(number).replace(/\.?0+$/, "");
export const counted = (number, noun) => `${number} ${noun}${number === 1 ? "" : "s"}`;
