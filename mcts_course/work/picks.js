// A picture with places to click. In one mode places are marked; in the other two places that show the
// same thing are merged into one.

const ASKED = {
  pick: "Click a leaf to mark it. Click it again to take it back.",
  merge: "Click two nodes that are the same position.",
};

function element(name, parent, properties = {}) {
  const node = Object.assign(document.createElement(name), properties);
  parent.append(node);
  return node;
}

const quoted = (names) => names.join(", ") || "none yet";

class Picks {
  constructor(model, host) {
    this.model = model;
    const spots = model.get("spots");
    this.root = element("section", host, { className: "mcts-picks", ariaLabel: model.get("title") });
    this.status = element("p", this.root, { className: "status", role: "status" });
    const scroll = element("div", this.root, { className: "scroll" });
    const stage = element("div", scroll, { className: "stage" });
    const { width, height } = model.get("size");
    Object.assign(stage.style, { width: `${width}px`, aspectRatio: `${width} / ${height}` });
    const { documentElement } = new DOMParser().parseFromString(model.get("picture"), "image/svg+xml");
    stage.append(Object.assign(documentElement, { ariaHidden: "true" })); // the buttons say what it shows
    this.buttons = spots.map((spot, place) => this.#button(stage, spot, place));
    this.held = undefined; // in merge mode: the place that was clicked first
    this.paint();
  }

  #button(stage, { high, name, said, wide, x, y }, place) {
    const button = element("button", stage, { type: "button", ariaLabel: said ?? name });
    button.dataset.lmSuppressShortcuts = "true"; // JupyterLab takes keys
    const { width, height } = this.model.get("size"); // in per cent, for a stage that a phone makes narrower
    const share = (part, whole) => `${(100 * part) / whole}%`;
    Object.assign(button.style, { left: share(x, width), top: share(y, height), width: share(wide, width),
      height: share(high, height) });
    button.addEventListener("click", () => this.#click(place));
    return button;
  }

  #set(name, value) {
    this.model.set(name, value);
    this.model.save_changes();
    this.paint();
  }

  #click(place) {
    if (this.model.get("mode") === "merge") this.#merge(place);
    else {
      const { name } = this.model.get("spots")[place];
      const chosen = this.model.get("chosen");
      const order = this.model.get("spots").map((spot) => spot.name);
      const next = chosen.includes(name) ? chosen.filter((one) => one !== name) : [...chosen, name];
      this.#set("chosen", order.filter((one) => next.includes(one)));
    }
  }

  #merge(place) {
    const { held, model } = this;
    const spots = model.get("spots");
    this.wrong = undefined;
    if (held === undefined || held === place) {
      this.held = held === place ? undefined : place;
      this.paint();
      return;
    }
    this.held = undefined;
    const [one, other] = [spots[held], spots[place]];
    if (one.same !== other.same) {
      this.wrong =
        `✗ ${one.name} and ${other.name} differ: equal positions have the same board and the same ` +
        "player to move.";
      this.paint();
    } else {
      const merged = [...new Set([...model.get("merged"), held, place])];
      this.#set("merged", merged.toSorted((a, b) => a - b));
    }
  }

  /** The number of nodes that are left, when equal ones that were merged count once. */
  #left() {
    const spots = this.model.get("spots");
    const merged = this.model.get("merged");
    return spots.length - merged.length + new Set(merged.map((place) => spots[place].same)).size;
  }

  paint() {
    const { buttons, held, model, status, wrong } = this;
    const shown = ["chosen", "merged", "mode", "spots"].map((name) => model.get(name));
    const [chosen, merged, mode, spots] = shown;
    const groups = [...new Set(merged.map((place) => spots[place].same))];
    buttons.forEach((button, place) => {
      const group = merged.includes(place) ? groups.indexOf(spots[place].same) : -1;
      const isOn = mode === "merge" ? group >= 0 || place === held : chosen.includes(spots[place].name);
      button.setAttribute("aria-pressed", isOn);
      button.classList.toggle("held", place === held);
      const sign = mode === "merge" ? group + 1 : "✕";
      button.dataset.badge = isOn && place !== held ? sign : "";
    });
    const all = new Set(spots.map((spot) => spot.same)).size;
    const left = this.#left();
    const done = left === all ? " All equal positions are merged." : "";
    const said = mode === "merge" ? `${spots.length} nodes, ${left} after merging.${done}`
      : `Marked: ${quoted(chosen)}.`;
    status.textContent = wrong ?? (held === undefined ? `${ASKED[mode]} ${said}`
      : `${spots[held].name}: now click another node with this position.`);
    status.classList.toggle("wrong", Boolean(wrong));
  }
}

function render({ model, el }) {
  const picks = new Picks(model, el);
  const repaint = () => picks.paint();
  model.on("change", repaint);
  return () => {
    model.off("change", repaint);
    el.replaceChildren(); // else the page keeps what a cell showed before it ran again
  };
}

export default { render };
