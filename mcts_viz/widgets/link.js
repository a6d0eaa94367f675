// The link of the moment on the screen: its fixed part came with the film, the moment is added.

import { write } from "./board.js";
import { element } from "./panels.js";

export class Link {
  constructor(film) {
    this.film = film;
    this.button = element("button", { type: "button", title: "A short text that opens this moment anywhere" }, "Copy link");
    this.button.addEventListener("click", () => this.copy());
    this.said = element("p", { role: "status", "aria-live": "polite" });
    this.field = element("input", { type: "text", readonly: "", "aria-label": "Link to this moment", "data-lm-suppress-shortcuts": "true" });
    this.element = element("div", { class: "link", role: "group", "aria-label": "Link", hidden: "" }, this.said, this.field);
    this.element.addEventListener("keydown", (event) => this.#onKey(event));
  }

  paint({ number, phase }) {
    this.moment = `${number}.${this.film.facts.phases[phase]}`;
    if (this.copied !== this.moment) this.#close();
  }

  /** To the clipboard, if the page may write there; else into the reader's hands. */
  async copy() {
    const { text, refusal } = this.film.facts.link;
    this.copied = this.moment;
    this.element.hidden = false;
    this.field.hidden = !text;
    if (!text) return write(this.said, refusal);
    this.field.value = `${text}&at=${this.moment}`;
    const how = "Player.from_link(\"…\") opens it.";
    try {
      await navigator.clipboard.writeText(this.field.value);
      write(this.said, `The link to this moment is copied. ${how}`);
    } catch {
      write(this.said, `This page may not write to the clipboard: copy the link from here. ${how}`);
      this.field.focus();
      this.field.select();
    }
  }

  #onKey(event) {
    if (event.key === "Escape") this.#close();
    event.stopPropagation(); // the keys of a text, not of the film
  }

  #close() {
    const held = this.element.contains(this.element.getRootNode().activeElement);
    this.copied = undefined;
    this.element.hidden = true;
    if (held) this.button.focus({ preventScroll: true });
  }
}
