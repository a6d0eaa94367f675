// The switches of the player: what can be shown and hidden, each by a button and by a key.

import { textButton } from "./panels.js";

export class Tools {
  /** Each switch has a `key`, a `text` and a `title`; `isOn()` tells its state and `flip()` changes it. */
  constructor(switches) {
    this.switches = switches.map((one) => ({ ...one, button: this.#button(one) }));
    this.buttons = this.switches.map(({ button }) => button);
    this.keys = Object.fromEntries(this.switches.map((one) => [one.key, () => this.#press(one)]));
  }

  #button({ key, text, title }) {
    const words = `${title} (${key.toUpperCase()})`;
    const button = textButton(text, words, () => this.keys[key]());
    button.setAttribute("aria-label", `${text}: ${words}`);
    button.setAttribute("aria-pressed", false);
    return button;
  }

  #press({ flip }) {
    flip();
    this.update();
  }

  /** Let the buttons say what is on. */
  update() {
    for (const { button, isOn } of this.switches) {
      const pressed = String(isOn());
      if (button.getAttribute("aria-pressed") !== pressed) button.setAttribute("aria-pressed", pressed);
    }
  }
}
