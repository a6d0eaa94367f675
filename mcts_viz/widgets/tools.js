// What is shown on request, behind the button ⋯ or on the bar: the exact truth, and the
// tree as a table.

import { Pool, element, group, write } from "./elements.js";

/** What exact play says, in words; the cards say it too. */
export function truthPanel(film) {
  const said = element("p", { class: "truth-words", role: "status" });
  return { element: said, paint: (frame) => write(said, film.truth(frame)) };
}

/** The tree as a table: every card on the screen, row by row, for readers who hear the page. */
export class TreeTable {
  constructor(film) {
    this.film = film;
    const [move, share, , score] = film.facts.heads;
    this.caption = element("caption");
    this.body = element("tbody");
    const heads = ["level", move, share, score, "marks"].map((text) => element("th", { scope: "col" }, text));
    this.element = group("tree-table", "The tree as a table",
      element("table", {}, this.caption, element("thead", {}, element("tr", {}, ...heads)), this.body));
    this.rows = new Pool(this.body, () => {
      const cells = ["td", "th", "td", "td", "td"].map((name) =>
        element(name, name === "th" ? { scope: "row" } : {}));
      return { element: element("tr", {}, ...cells), cells };
    });
  }

  paint(frame, { truth, picture }) {
    const { film } = this;
    const [rows, { nodes }] = [[], picture];
    const list = (node, deep) => {
      if (!nodes.has(node) || film.births[node] > frame.addedAt) return;
      rows.push([node, deep]);
      for (const child of film.below[node]) list(child, deep + 1);
    };
    list(0, 0);
    const phase = film.facts.phases[frame.phase].replace("_", " ");
    write(this.caption, `The ${rows.length} nodes in sight in ${film.unit} ${frame.iteration} (${phase}).`);
    this.rows.take(rows.length).forEach(({ element: row, cells }, place) => {
      const [node, deep] = rows[place];
      const card = film.card(node, frame);
      row.className = frame.onPath.has(node) ? "chosen" : "";
      const marks = [frame.onPath.has(node) && "on the path", node === frame.added && "new",
        card.mark, truth?.(node)?.[0]];
      const texts = [deep, node ? film.label(node) : "root", card.main + card.rest,
        card.score || "–", marks.filter(Boolean).join(", ")];
      texts.forEach((text, column) => write(cells[column], String(text)));
      cells[1].style.paddingLeft = `${0.3 + 0.9 * deep}em`;
    });
  }
}

/** A line to take along that names the moment on the screen; `lineOf(frame)` makes it, if it can. */
export class CopyPanel {
  constructor(name, label, { lineOf, hint, copied }) {
    Object.assign(this, { lineOf, hint, copied });
    this.said = element("p", { role: "status", "aria-live": "polite" });
    this.field = element("input", { type: "text", readonly: "", "aria-label": label });
    this.element = group("link", name, this.said, this.field);
  }

  paint(frame) {
    const line = this.lineOf(frame);
    this.field.hidden = !line;
    this.field.value = line ?? "";
    write(this.said, this.hint);
  }

  /** To the clipboard, if the page may write there; else into the reader's hands. */
  async opened() {
    if (this.field.hidden) return;
    try {
      await navigator.clipboard.writeText(this.field.value);
      write(this.said, this.copied);
    } catch {
      write(this.said, "This page may not write to the clipboard: copy it from here.");
      this.field.focus();
      this.field.select();
    }
  }
}
