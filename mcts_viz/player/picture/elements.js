// Elements of a page, and what all panels are made of.

const SVG = "http://www.w3.org/2000/svg";

/** Set attributes; to set the same again would cost as much. */
export function assign(element, attributes) {
  for (const [name, value] of Object.entries(attributes)) {
    if (element.getAttribute(name) !== String(value)) element.setAttribute(name, value);
  }
  return element;
}

/** Give a new element its attributes and children; those that are nothing are left out. */
function made(holder, attributes, children) {
  assign(holder, attributes).append(...children.filter(Boolean));
  return holder;
}

export const element = (name, attributes = {}, ...children) =>
  made(document.createElement(name), attributes, children);
export const svgElement = (name, attributes = {}, ...children) =>
  made(document.createElementNS(SVG, name), attributes, children);

/** The names of what is so, such as an element's looks. */
export const namesOf = (answers) => Object.keys(answers).filter((name) => answers[name]);

/** Elements that belong together, under a name for readers who hear the page. */
export const group = (look, label, ...children) =>
  element("div", { class: look, role: "group", "aria-label": label }, ...children);

/** Give the focus to an element, and leave the page where it is. */
export const focusOn = (holder) => holder.focus({ preventScroll: true });

/** What has the focus within an element; nothing if it is elsewhere. */
export function heldIn(holder) {
  const held = holder.getRootNode().activeElement;
  return holder.contains(held) ? held : undefined;
}

/** Change the text of an element that holds nothing else; to set the same again would cost as much. */
export function write(holder, text) {
  if (holder.textContent === text) return;
  if (holder.firstChild) holder.firstChild.data = text;
  else holder.textContent = text;
}

const LATE = 18; // milliseconds: a frame that comes later counts as no more

/** Motion of so many milliseconds, frame by frame; another one takes its place. */
export class Motion {
  /** Call `draw` with the milliseconds that are over; at once with the last of them, if there are none. */
  run(length, draw) {
    cancelAnimationFrame(this.waiting);
    let [over, last] = [0, performance.now()];
    const step = (now) => {
      over = Math.min(length, over + Math.min(LATE, Math.max(0, now - last)));
      last = now;
      draw(over);
      if (over < length) this.waiting = requestAnimationFrame(step);
    };
    step(last);
  }
}

/** Whether the reader's system asks for no motion. */
export const wantsNoMotion = () => matchMedia("(prefers-reduced-motion: reduce)").matches;

/** A picture that came with the film. */
export function picture(text) {
  return document.importNode(
    new DOMParser().parseFromString(text, "image/svg+xml").documentElement,
    true,
  );
}

/** No plain key leaves `host` for the notebook, where A adds a cell, X cuts one and D D deletes it. */
export function keepKeys(host) {
  host.setAttribute("data-lm-suppress-shortcuts", "true"); // JupyterLab's own do nothing here
  host.addEventListener("keydown", (event) => {
    const { altKey, ctrlKey, key, metaKey, shiftKey } = event;
    const runsCell = key === "Enter" && shiftKey;
    if (!altKey && !ctrlKey && !metaKey && !runsCell) event.stopPropagation();
  });
}

/** A button that says what it does, and more of it in its title. */
export function textButton(text, title, act, attributes = {}) {
  const button = element("button", { type: "button", title, ...attributes }, text);
  button.addEventListener("click", act);
  return button;
}

/** A button with a sign or a short word, which its title explains. */
export const signButton = (sign, title, act) =>
  textButton(sign, title, act, { "aria-label": title });

/** A place for what went wrong, which is seen only then. */
export const alertPlace = () => element("p", { class: "alert", role: "alert" });

/** How far Python is with what takes long, and a button that ends it with what there is by now. */
export class Meter {
  constructor(label, title, stop) {
    this.bar = element("progress", { max: 1, value: 0, "aria-label": label });
    this.words = element("span", { class: "done" });
    this.stop = textButton("Stop", title, stop);
    this.element = element("div", { class: "thinking" }, this.bar, this.words, this.stop);
  }

  say(share, words) {
    this.bar.value = share ?? 0;
    write(this.words, words ?? "");
  }
}

/** Rows are made once and filled again, so a frame costs few changes to the page. */
export class Pool {
  items = [];

  constructor(parent, make) {
    Object.assign(this, { parent, make });
  }

  take(count) {
    while (this.items.length < count) {
      const item = this.make(this.items.length);
      this.items.push(item);
      this.parent.append(item.element);
    }
    this.items.forEach((item, place) => item.element.toggleAttribute("hidden", place >= count));
    return this.items.slice(0, count);
  }
}

/** The node whose card or row an element belongs to. */
export function nodeAt(target) {
  const node = target?.closest?.("[data-node]")?.dataset.node;
  return node === undefined || node === "" ? undefined : Number(node);
}
