// Beside the tree, below it on a phone: what is compared at the walk's end, the rewards of the walk, and
// after the last iteration what the tree is worth. On a phone its rows are the controls.

import { element, textButton } from "./picture/elements.js";
import { PHASES } from "./hands.js";
import { halves } from "./tree_picture.js";
import { twoRivers } from "./two_rivers.js";

const fixed = (number) => number.toFixed(2);
const REWARDS = [[0, "+0"], [0.5, "+½"], [1, "+1"]];
const THIRD = 0.02; // scores that are nearer than this need a third digit

const cell = (...inside) => element("td", {}, ...inside);

/** A table with a head; rows are lists of cells. */
function table(caption, head, rows) {
  const top = head.map((name) => element("th", { scope: "col" }, name));
  return element("table", { "aria-label": caption },
    element("thead", {}, element("tr", {}, ...top)), element("tbody", {}, ...rows));
}

/** Three buttons, one of which is pressed: what a card of the walk is given. */
export function rewardButtons(hands, node, look) {
  const given = hands.given.get(node);
  const buttons = REWARDS.map(([value, sign]) => textButton(sign, "", () => hands.give(node, value), {
    "aria-pressed": given === value, "aria-label": `${sign} for ${hands.named(node)}`,
    "data-reward": `${node}/${value}`,
  }));
  const name = hands.named(node);
  return element("div", { class: `rewards ${look}`, role: "group", "aria-label": name }, ...buttons);
}

export class Panel {
  constructor(hands, after) {
    Object.assign(this, { hands, after });
    this.element = element("section", { class: "panel", "aria-label": "What you can do" });
  }

  paint(narrow) {
    const { hands } = this;
    const parts = hands.done ? this.after.parts() : this.#parts(narrow);
    this.element.replaceChildren(...parts.filter(Boolean));
  }

  #parts(narrow) {
    const { hands } = this;
    switch (PHASES[hands.phase]) {
      case "Select": return this.#select();
      case "Expand": return this.#expand();
      case "Simulate": return this.#simulate();
      default: return this.#backpropagate(narrow);
    }
  }

  // Select ---------------------------------------------------------------------------------------------

  #select() {
    const { hands } = this;
    const { facts, here } = hands;
    const player = hands.player(facts.nodes[here].to_move);
    if (facts.nodes[here].over) return this.#over();
    const title = hands.compares ? `${player} chooses: mean + exploration` : `${player} chooses`;
    const [head, rows] = hands.compares ? this.#compared() : this.#moves();
    return [
      element("p", { class: "title" }, title), table(title, head, rows),
      hands.compares && this.#about(), hands.asksTerm && this.#termField(),
      element("div", { class: "acts" },
        hands.compares && !hands.sums && textButton("Show the sums", "", () => hands.showSums()),
        this.#undo()),
    ];
  }

  #undo() {
    const { hands } = this;
    if (hands.path.length < 2) return undefined;
    return textButton("Step back", "Take back a step (Backspace)", () => hands.undo());
  }

  #over() {
    const { hands } = this;
    return [
      element("p", { class: "title" }, `The game is over on ${hands.named(hands.here)}`),
      element("p", {}, "What happens now in this iteration?"),
      element("div", { class: "acts" },
        textButton("Play on at random", "", () => hands.play()),
        textButton("Count its result again", "", () => hands.chooseCard(hands.here)),
        this.#undo()),
    ];
  }

  #moves() {
    const { hands } = this;
    const { facts, here, tree } = hands;
    const { below, moves } = facts.nodes[here];
    const rows = moves.map((label, place) => {
      const node = below[place];
      const isThere = tree.has(node);
      const act = () => (isThere ? hands.chooseCard(node) : hands.chooseUntried({ parent: here, place }));
      const name = isThere ? hands.named(node) : `${hands.player(facts.nodes[here].to_move)} ${label}`;
      const share = isThere ? `${halves(tree.wins[node])}/${tree.visits[node]}` : "untried";
      return element("tr", {}, this.#move(name, act), cell(share));
    });
    return [["move", "wins/visits"], rows];
  }

  #move(name, act) {
    return element("th", { scope: "row" }, textButton(name, "", act, { class: "move" }));
  }

  #compared() {
    const { hands } = this;
    const { here, sums, tree } = hands;
    const children = tree.children[here];
    const scores = children.map((child) => tree.score(child)).toSorted((a, b) => b - a);
    const isClose = scores[0] - scores[1] > 1e-9 && scores[0] - scores[1] < THIRD;
    const written = (number) => number.toFixed(isClose ? 3 : 2);
    const rows = children.map((child, place) => element("tr", {},
      this.#move(hands.named(child), () => hands.chooseCard(child)),
      cell(`${halves(tree.wins[child])}/${tree.visits[child]}`),
      cell(sums ? written(tree.mean(child)) : "w/n"),
      cell(hands.asksTerm && !place ? "+ ?" : `+ ${written(tree.exploration(child))}`),
      cell(element("b", {}, sums ? written(tree.score(child)) : "?"))));
    return [["move", "w/n", "mean", "for n", "UCT"], rows];
  }

  #about() {
    const { hands } = this;
    const above = hands.tree.visits[hands.here];
    return element("p", { class: "note" },
      `The second term depends on n alone; N = ${above} is the same for all.`);
  }

  /** The first time one term is typed. */
  #termField() {
    const { hands } = this;
    const [child] = hands.tree.children[hands.here];
    const [above, visits] = [hands.tree.visits[hands.here], hands.tree.visits[child]];
    const c = Math.abs(hands.facts.c - Math.SQRT2) < 1e-9 ? "√2" : String(hands.facts.c);
    const input = element("input", {
      type: "text", inputmode: "decimal", size: 6, autocomplete: "off", "data-lm-suppress-shortcuts": "true",
    });
    const form = element("form", { class: "term" },
      element("label", {}, `${hands.named(child)}: ${c} · √(ln ${above} / ${visits}) = `, input),
      element("button", { type: "submit" }, "Check"));
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      hands.typeTerm(input.value);
    });
    return form;
  }

  // Expand and Simulate ----------------------------------------------------------------------------------

  #expand() {
    const { hands } = this;
    const over = hands.facts.nodes[hands.here].over;
    const act = over ? `The game is over here: ${over.said}` : "Play on at random";
    return [
      element("p", { class: "title" }, `${hands.named(hands.here)} joins the tree`),
      element("p", {}, "It has no visit yet. One node is added in each iteration."),
      element("div", { class: "acts" }, textButton(act, "", () => hands.play(), { class: "main" })),
    ];
  }

  #simulate() {
    return [
      element("p", { class: "title" }, "A random game"),
      element("p", {}, "None of its positions joins the tree. Any key shows its end."),
    ];
  }

  // Backpropagate ----------------------------------------------------------------------------------------

  #backpropagate(narrow) {
    const { hands } = this;
    const { facts, given, tree } = hands;
    const rising = hands.path.toReversed();
    const rows = rising.map((node) => {
      const name = node ? hands.named(node) : `the root (${hands.player(facts.nodes[0].mover)} moved)`;
      const share = `${halves(tree.wins[node])}/${tree.visits[node]}`;
      const chosen = REWARDS.find(([value]) => value === given.get(node))?.[1] ?? "?";
      const row = element("tr", { class: node === hands.marked ? "marked" : "" },
        element("th", { scope: "row" }, name), cell(share),
        cell(narrow ? rewardButtons(hands, node, "large") : chosen));
      return [row, hands.explained && this.#why(node)];
    }).flat().filter(Boolean);
    const count = textButton("Count", "Check the rewards (C)", () => hands.count(), {
      class: "main", "aria-disabled": !given.size,
    });
    return [
      element("p", { class: "title" }, `${this.#result()} Who moved where?`),
      table("The walk, from its end up to the root", ["card", "before", "reward"], rows),
      element("div", { class: "acts" }, count,
        hands.canFill && textButton("Fill in", "Put in all rewards", () => hands.fill())),
    ];
  }

  #result() {
    const said = this.hands.said();
    return `${said[0].toUpperCase()}${said.slice(1)}.`;
  }

  /** After the third failure: why a card is given what it is given. */
  #why(node) {
    const { hands } = this;
    const value = hands.tree.gain(node, hands.here);
    const who = hands.player(hands.facts.nodes[node].mover);
    const what = value === 0.5 ? "a draw is worth ½" : `${who} ${value ? "has won" : "has not won"}`;
    const sign = REWARDS.find(([other]) => other === value)[1];
    const text = `${who} moved into ${node ? hands.named(node) : "the root"}, and ${what}: ${sign}`;
    return element("tr", { class: "why" }, element("td", { colspan: 3 }, text));
  }
}

/** What the tree is worth, once all iterations are done. */
export class After {
  constructor(hands, repaint) {
    Object.assign(this, { hands, repaint, shown: "" });
  }

  parts() {
    const { hands } = this;
    const { facts, tree } = hands;
    const favourite = tree.favourite();
    const rows = tree.children[0].map((child) => element("tr", { class: child === favourite ? "best" : "" },
      element("th", { scope: "row" }, facts.nodes[child].label),
      cell(`${halves(tree.wins[child])}/${tree.visits[child]}`), cell(fixed(tree.mean(child)))));
    const title = `Your tree after ${facts.iterations} iterations`;
    const acts = [
      facts.exact && ["play", "Against perfect play"], ["uct", "Next to UCT's tree"],
      facts.whole && ["grow", `Grow on to ${facts.grown.toLocaleString("en")}`],
      ["cost", "What mistakes cost"],
    ];
    const buttons = acts.filter(Boolean).map(([name, text]) => textButton(text, "", () => {
      this.shown = name;
      this.repaint();
    }, { "aria-expanded": this.shown === name }));
    return [
      element("p", { class: "title" }, title), table(title, ["move", "wins/visits", "mean"], rows),
      element("div", { class: "acts" }, ...buttons),
      this.shown && element("div", { class: "answer", role: "status" }, ...this.#answer()),
    ];
  }

  #answer() {
    switch (this.shown) {
      case "play": return this.#againstPerfectPlay();
      case "uct": return twoRivers(this.hands.facts, this.hands.walks, this.hands.facts.uct);
      case "grow": return this.#grownOn();
      default: return this.#costs();
    }
  }

  /** What a move is worth with perfect play from there on, to the player at the root. */
  #worth(label) {
    const value = this.hands.facts.exact?.[label]?.value;
    if (value === undefined) return "";
    return value > 0 ? "wins" : value < 0 ? "loses" : "draws";
  }

  #againstPerfectPlay() {
    const { facts, tree } = this.hands;
    const { label } = facts.nodes[tree.favourite()];
    const { line, said } = facts.exact[label];
    const best = Object.keys(facts.exact).filter((other) => facts.exact[other].value === Math.max(
      ...Object.values(facts.exact).map(({ value }) => value)));
    const moves = line.length ? `The game goes on: ${line.join(", ")}.` : "That ends the game.";
    const verdict = best.includes(label) ? `No move does better than ${label}.`
      : `Perfect play would choose ${best.join(" or ")}.`;
    return [element("p", {}, `Your tree plays ${label}. From there on both sides play perfectly. ${moves} `
      + `Result: ${said}. ${verdict}`)];
  }

  #grownOn() {
    const { facts } = this.hands;
    const tree = this.#grown();
    const look = (child) => ({ class: child === tree.favourite() ? "best" : "" });
    const rows = tree.children[0].map((child) => element("tr", look(child),
      element("th", { scope: "row" }, facts.nodes[child].label),
      cell(`${halves(tree.wins[child])}/${tree.visits[child].toLocaleString("en")}`),
      cell(fixed(tree.mean(child)))));
    const { label } = facts.nodes[tree.favourite()];
    const worth = this.#worth(label);
    return [
      table("Your tree, grown on", ["move", "wins/visits", "mean"], rows),
      element("p", {}, `UCT went on in your tree. It now chooses ${label}${worth && `, which ${worth}`}.`),
    ];
  }

  #grown() {
    const { hands } = this;
    const tree = Object.assign(Object.create(Object.getPrototypeOf(hands.tree)),
      { c: hands.tree.c, nodes: hands.tree.nodes });
    tree.clear();
    tree.repeat(hands.walks);
    tree.grow(hands.facts.grown - hands.walks.length);
    return tree;
  }

  #costs() {
    const { facts } = this.hands;
    const counts = new Map();
    for (const { mistake } of this.hands.events) {
      if (mistake) counts.set(mistake, (counts.get(mistake) ?? 0) + 1);
    }
    const [name, count] = [...counts].toSorted((one, other) => other[1] - one[1])
      .find(([mistake]) => facts.costs[mistake]) ?? [undefined, 0];
    const lead = name
      ? `Of the mistakes that change a search, yours was most often: ${facts.costs[name].said} (${count}×).`
      : "You made no mistake that changes a search. These are the common ones.";
    const rows = Object.entries(facts.costs).map(([mistake, { early, late, said }]) => element("tr",
      { class: mistake === name ? "best" : "" }, element("th", { scope: "row" }, said),
      cell(`${early}`), cell(`${late} ${this.#worth(late)}`)));
    const heads = ["a search that", `at ${facts.iterations}`, `at ${facts.grown.toLocaleString("en")}`];
    return [element("p", {}, lead), table("What mistakes cost", heads, rows)];
  }
}

/** The sentence that says what there is to do. */
export function instruction(hands) {
  const { facts, here, tree } = hands;
  if (hands.done) {
    const { label } = facts.nodes[tree.favourite()];
    return `${facts.iterations} iterations. Your tree chooses move ${label}.`;
  }
  switch (PHASES[hands.phase]) {
    case "Expand": return `A new card: ${hands.named(here)}. Play on from it.`;
    case "Simulate": return "Both sides move at random, to the end of the game.";
    case "Backpropagate": {
      const said = hands.said();
      const result = `${said[0].toUpperCase()}${said.slice(1)}`;
      return `${result}. Put a reward on every card of the walk, from the end up to the root.`;
    }
    default:
  }
  if (facts.nodes[here].over) return "The game is over on this card. What happens in this iteration?";
  if (!tree.children[0].length) {
    return "The tree is empty, and you are the search. Click an untried move: a dashed card.";
  }
  if (hands.asksTerm) {
    return "Every move here has been tried, so scores decide. Work out the term that is missing.";
  }
  const where = here ? `The walk is at ${hands.named(here)}.` : "The walk starts at the root.";
  return `${where} Where does it go now?`;
}
