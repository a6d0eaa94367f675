// The film of a search: what every moment shows.

import { Columns, countUpTo } from "./columns.js";
import {
  addends,
  apart,
  choice,
  counted,
  decimals,
  filled,
  fixed,
  grouped,
  rounded,
  scored,
  short,
  small,
  visited,
} from "./words.js";

const CLOSE = 0.1; // a spread below this part of the highest score is zoomed

/** The film of a search. */
export class Film extends Columns {
  unit = "iteration";
  threadNoun = "iterations"; // of which each is a thread of the river
  wholeStep = "the same phase, an iteration back or on";

  constructor(facts, columns) {
    super(facts, columns);
    this.playoutStart = sums(columns.moves);
    this.changeStart = sums(columns.changes);
    // Where the scores of each node's children begin: one after each of the moments that changed it.
    this.scoreStart = sums(
      this.below.map((children, node) => children.length * (this.#rowAt(node, Infinity) + 1)),
    );
  }

  // Moving about: places are pairs of iteration and phase ----------------------------------

  phaseAt(index, phase) {
    return Math.max(0, Math.min(3, phase));
  }

  /** So many phases on. */
  after(index, phase, steps) {
    const moment = 4 * (index - 1) + phase + steps;
    return [Math.floor(moment / 4) + 1, ((moment % 4) + 4) % 4];
  }

  toPhase(index, phase) {
    return [index, phase];
  }

  /** The same phase of the next (1) or previous (-1) iteration. */
  stepIteration(index, phase, way) {
    return [index + way, phase];
  }

  // Looking up ------------------------------------------------------------------------------

  /** The node's visits and wins after so many iterations. */
  statistics(node, iterations) {
    const { visit_counts, visit_wins, visit_ends, visits_before, wins_before } = this.columns;
    const row = this.#rowAt(node, iterations);
    const last = visit_ends[node] + row - 1;
    if (!row) return { visits: visits_before[node], wins: wins_before[node] };
    return {
      visits: visit_counts ? visit_counts[last] : visits_before[node] + row,
      wins: visit_wins[last],
    };
  }

  /** How many of the moments that changed the node's statistics are over by then. */
  #rowAt(node, iterations) {
    const { visit_ends, visit_times } = this.columns;
    return countUpTo(visit_times, visit_ends[node], visit_ends[node + 1], iterations);
  }

  /** 1 for a win of who moved into the node, proven after so many iterations; -1 for a loss; else 0. */
  proof(node, iterations) {
    const { proof, proven } = this.columns; // only in a film of a search with proofs
    return proof && proven[node] <= iterations ? proof[node] : 0;
  }

  /**
   * A child's score among its siblings after so many iterations, and the two terms whose sum it is,
   * with another `c` where the rule is linear in it; not-a-number without.
   */
  scoreOf(node, iterations, c = this.facts.c) {
    const { chance, explorations, factor_child, factor_parent, means, parent } = this.columns;
    const above = parent[node];
    let [mean, exploration] = [NaN, NaN];
    if (!node || chance?.[above]) return { mean, exploration, score: NaN }; // drawn, not compared
    if (means) {
      const rows = this.#rowAt(above, Infinity) + 1;
      const at =
        this.scoreStart[above] + this.birthPlace[node] * rows + this.#rowAt(above, iterations);
      mean = means[at];
      exploration = c === this.facts.c ? explorations[at] : (explorations[at] / this.facts.c) * c;
    } else {
      const { visits, wins } = this.statistics(node, iterations);
      const factor = factor_parent[this.#factorAt(this.statistics(above, iterations).visits)];
      mean = wins / visits;
      exploration = c * factor * factor_child[this.#factorAt(visits)];
    }
    return { mean, exploration, score: mean + exploration };
  }

  /** The place of the factors of so many visits; -1 for none. */
  #factorAt(visits) {
    const { factor_visits: counts } = this.columns;
    return countUpTo(counts, 0, counts.length, visits) - 1;
  }

  /** The moves from a node: first those that lead to one in the film, in their order. */
  moves(node) {
    const { untried, untried_ends: ends } = this.columns;
    const never = this.#leavesOut(node) ? [] : untried.subarray(ends[node], ends[node + 1]);
    return [
      ...super.moves(node),
      ...Array.from(never, (number) => ({ label: this.facts.labels[number] })),
    ];
  }

  /** Whether the film leaves children of a node out. */
  #leavesOut(node) {
    const { lacks_children: lacks } = this.columns;
    return lacks?.[node] > 0;
  }

  /** Who moved into a node, as a number. */
  playerOf(node) {
    return this.columns.player_just_moved[node];
  }

  /** Whether chance led to a node, not a player's move. */
  isOutcome(node) {
    return Boolean(this.columns.chance?.[this.columns.parent[node]]);
  }

  /** All that is known of one moment; cards are looked up when they are drawn. */
  frame(index, phase, level) {
    const iteration = this.iterationAt(index);
    const addedAt = phase === 0 ? iteration - 1 : iteration;
    const fullPath = this.pathTo(this.end(index)); // as it will be when the iteration is over
    // as it was when it stopped
    const walk = fullPath.filter((node) => this.births[node] < iteration || !node);
    const levels = Math.max(1, walk.length - 1); // decisions on it
    const path = phase ? fullPath : walk.slice(0, (level ?? levels) + 2);
    const countedTo = phase === 3 ? iteration : iteration - 1;
    const added = phase
      ? fullPath.findLast((node) => node && this.births[node] === iteration)
      : undefined;
    return {
      index,
      iteration,
      phase,
      level,
      levels,
      counted: countedTo,
      addedAt,
      fullPath,
      walk,
      path,
      onPath: new Set(path),
      added,
      visits: this.statistics(0, countedTo).visits,
    };
  }

  /** What a card says: wins and visits, from 1,000 on in thousands, and the score. */
  card(node, frame, after = frame.counted) {
    const { visits, wins } = this.statistics(node, after);
    const { exploration, mean, score } = this.scoreOf(node, after);
    const proof = this.proof(node, after);
    const mark = this.facts.proofs?.[proof] ?? "";
    const added = node === frame.added && !visits;
    const [prior = "", more = ""] = [this.#likely(node), this.#note(node, after)].filter(Boolean);
    return {
      prior,
      more,
      main: added ? "new" : rounded(wins),
      rest: added ? "" : `/${rounded(visits)}`,
      few: added ? "new" : rounded(visits), // where there is room for no more
      visits,
      score: mark || textOf(score),
      terms: added ? [NaN, NaN] : [mean, exploration],
      mark,
      sign: { 1: "✓", "-1": "✗" }[proof],
    };
  }

  /** How likely a move is: by a guide's prior, or by its odds where nature moves; "" for neither. */
  #likely(node) {
    const { prior, probability } = this.columns;
    if (node && prior) return `P ${fixed(prior[node])}`;
    return probability?.[node] ? `p ${fixed(probability[node])}` : "";
  }

  /** What other statistics than visits and wins say of a node, if the search keeps some. */
  #note(node, iterations) {
    const { note, note_before: before, visit_ends: ends } = this.columns;
    if (!note) return "";
    const row = this.#rowAt(node, iterations);
    return row
      ? this.facts.notes[note[ends[node] + row - 1]]
      : this.facts.notes_before[before[node]];
  }

  /** A node's share of all iterations, for a reader who hears the page. */
  told(node, frame) {
    const { visits, wins } = this.statistics(node, frame.counted);
    const all = this.statistics(0, frame.counted).visits;
    const mean = visits && this.facts.plain_means ? `, mean ${fixed(wins / visits)}` : "";
    const share = node ? ` of ${grouped(all)}` : "";
    return `${grouped(visits)}${share} ${visits === 1 && !node ? "visit" : "visits"}${mean}`;
  }

  /**
   * What was compared at a node: a row a move, in their order; what was chosen when this iteration's walk
   * was there, and how far ahead it was; with another `c`, as it would have been.
   */
  table(frame, node, c) {
    const place = frame.walk.indexOf(node);
    const chosen = this.#chosenAt(frame, place);
    const rows = this.#rows(frame, node, c, chosen);
    const then = ranked(rows, "before", "passed");
    const now = ranked(rows, "score", "out");
    const [own, rival] = bestOfBoth(then);
    const scores = now.map(({ score }) => score);
    const spread = scores[0] - scores.at(-1);
    const compared = scores.length > 1;
    const isNear = spread > 0 && spread < CLOSE * Math.abs(scores[0]); // bars would look alike
    const best = now[0]?.node;
    const tellsWalk = c === undefined && frame.phase < 3 && place >= 0;
    const bestOfMany = compared ? best : undefined;
    const named = tellsWalk ? chosen : bestOfMany; // by the title and by the highlight
    const lengths = rows.map(({ terms }) => Math.max(0, terms[0]) + Math.max(0, terms[1]));
    const found = {
      node,
      chosen,
      best,
      scores,
      spread,
      rows: rows.map((row) => marked(row, row.node === named)),
      own,
      rival, // not-a-number where nothing was compared
      level: then.filter((row) => row.before === own).length - 1, // others that scored the same
      open: place >= 0 && chosen === undefined, // no score decided where the walk went on
      compared,
      close: compared && (isNear || scores.at(-1) < 0),
      longest: Math.max(...lengths.filter(Number.isFinite), 1e-9), // nothing is divided by 0
      digits: digitsOf(scores, own, rival),
    };
    return { ...found, title: this.#title(frame, found, c), detail: this.#detail(found) };
  }

  /**
   * What a row of the ladder says of a node: who chooses there and whose wins its moves count, the ends of
   * its bars, as many digits as the choice needs, how long the terms then are, and its moves from the best
   * on; `numbered` gives a node's number in the tree.
   */
  decision(frame, node, numbered) {
    const { chosen, digits, level, rows } = this.table(frame, node);
    const { heads, players, rule = "", tie } = this.facts;
    const marks = rows.flatMap(({ score, terms: [mean] }) => [mean, score]).filter(Number.isFinite);
    const who = players[this.playerOf(this.below[node][0])];
    const chooser = this.columns.chance?.[node] ? "chance decides" : `${who} chooses`;
    const { visits } = this.statistics(node, frame.counted);
    const isTie = frame.phase < 3 && level > 0;
    const broken = tie ? `${this.label(chosen)} was ${tie}` : "by its own rule";
    const long = ({ terms }) => addends(terms, digits).join("").length;
    const best = ranked(rows, "score").map((row) => numbered(row.node));
    const others = rows.map((row) => numbered(row.node)).filter((one) => !best.includes(one));
    return {
      name: node ? `After ${this.label(node)}` : "Root",
      about: [chooser],
      more: [`wins of ${who}`, `N = ${grouped(visits)}`, isTie ? `tie: ${broken}` : ""],
      digits,
      long: heads[2] === "score" ? 0 : Math.max(0, ...rows.map(long)),
      ends: [Math.min(0, ...marks), Math.max(1e-9, ...marks)],
      ranked: [...best, ...others],
      rule,
    };
  }

  /** The move by which the walk went on from its node at a `place`, if scores chose it. */
  #chosenAt({ iteration, walk }, place) {
    const asked = iteration === 1 ? this.facts.asked_first : 0;
    const forced = iteration <= this.facts.chosen ? Infinity : asked; // by hand, whatever the scores
    return place < forced ? undefined : walk[place + 1];
  }

  /** The moves that were compared at a node; outcomes of chance are no moves. */
  #rows(frame, node, c, chosen) {
    if (this.columns.chance?.[node]) return [];
    const before = frame.iteration - 1;
    // those that have been counted: in the last phase the new one has a score too
    return this.children(node, { iteration: frame.counted }).map((child) => ({
      ...this.#row(child, frame.counted, c),
      isWalked: child === chosen,
      before: this.scoreOf(child, before, c).score,
      passed: child !== chosen && this.proof(child, before) !== 0,
      out: this.proof(child, frame.counted) !== 0, // proven by now
    }));
  }

  /** What a row says of a node after so many iterations. */
  #row(node, iterations, c) {
    const { visits, wins } = this.statistics(node, iterations);
    const { mean, exploration, score } = this.scoreOf(node, iterations, c);
    const proof = this.proof(node, iterations);
    return {
      node,
      share: `${short(wins)}/${visits}`,
      score,
      said: this.facts.proofs?.[proof],
      terms: proof ? [NaN, NaN] : [mean, exploration],
    };
  }

  #title(frame, { best, chosen, compared, level, node, open, own, rival, scores }, c) {
    const start = capital(this.named(node)) + (c === undefined ? "" : `, with c = ${small(c)}`);
    const isPast = c === undefined && frame.phase < 3; // the walk has been there
    if (this.columns.chance?.[node]) return `${start}: chance decides, so nothing is compared`;
    const known = scores.length ? "; the scores so far" : "";
    if (isPast && open) return `${start}: ${this.#why(frame, node)}${known}`;
    if (isPast && chosen !== undefined)
      return `${start}: ${choice(this.label(chosen), own, rival, level, this.facts.tie)}`;
    if (!compared) return `${start}: nothing to compare`;
    const ties = scores.filter((score) => score === scores[0]).length - 1;
    const told = choice(this.label(best), scores[0], scores[1], ties, "");
    return `${start}${frame.phase === 3 ? ", now" : ""}: ${told}`;
  }

  /** Why no score decided where a walk ended. */
  #why({ iteration, walk }, node) {
    const there = this.children(node, { iteration: iteration - 1 }).length;
    if (node !== walk.at(-1)) return "not compared, the move was given";
    return this.moves(node).length > there ? "not compared, an untried move is left" : "the walk ends here";
  }

  #detail({ node, scores, spread }) {
    if (this.#leavesOut(node)) {
      return "The moves from here are not in this film, which leaves out most iterations.";
    }
    if (scores.length < 3 || spread >= (CLOSE / 2) * Math.abs(scores[0])) return "";
    return `${this.facts.rule} keeps the scores level; the visits are what it has learnt.`;
  }

  /** What the exact truth says about the moment; a sentence why it is not known, else. */
  truth({ counted: iterations }) {
    const { regrets, stays, unknown } = this.facts.truth;
    if (unknown) return unknown;
    const nodes = this.below[0].toSorted((a, b) => a - b); // of equals the first that was added
    const rows = nodes.map((node) => ({ node, ...this.statistics(node, iterations) }));
    const [most] = rows.toSorted(
      (a, b) => b.visits - a.visits || b.wins / b.visits - a.wins / a.visits,
    );
    if (!most?.visits) return stays;
    const { node } = most;
    const said = this.exact(node)[0].slice(2); // without its sign
    return `Most visited so far: ${this.label(node)}, ${said}, regret ${short(regrets[node])}. ${stays}`;
  }

  /** What exact play says of a node: its words, their kind, and who wins, if that is known. */
  exact(node) {
    return this.facts.truth.badges?.[this.columns.exact[node] - 1];
  }

  /** By move of the root, in their order: its share of the visits of all of them by then. */
  rootShares(iterations) {
    const visits = this.below[0].map((node) => this.statistics(node, iterations).visits);
    const all = visits.reduce((sum, count) => sum + count, 0) || 1;
    return visits.map((count) => count / all);
  }

  /** The line of the algorithm in which it happens. */
  code({ phase }) {
    return this.facts.code[phase] ?? "";
  }

  /** What happens, in words. */
  caption(frame) {
    const { columns, facts } = this;
    const { fullPath, index, iteration, phase, walk } = frame;
    const last = fullPath.at(-1);
    const isProved = (node) => columns.proof?.[node] && columns.proven[node] === iteration;
    const slots = {
      ...facts.policies,
      choice: phase ? "" : this.#choiceIn(frame, 0, fullPath[1] ?? 0),
      walked: counted(walk.length - 1, facts.step),
      player: facts.players[this.playerOf(last)],
      move: this.label(last),
      moves: counted(columns.moves[index - 1], facts.step),
      visited: visited(fullPath.length),
      proved: counted(fullPath.filter(isProved).length, "position"),
      parts: facts.parts?.[columns.parts[index - 1]],
      ...this.outcome(index),
    };
    return filled(facts.patterns[columns.pattern[4 * (index - 1) + phase]], slots);
  }

  /** What the root has learnt by then, in words. */
  rootStory({ counted: iterations }) {
    const rows = this.below[0].map((node) => ({ node, ...this.statistics(node, iterations) }));
    const [most, next] = rows.toSorted((a, b) => b.visits - a.visits);
    if (!most?.visits) return "Nothing was tried yet.";
    const { visits } = this.statistics(0, iterations); // of a tree that went on: also those before
    const all = `${grouped(most.visits)} of ${grouped(visits)} visits went through`;
    const mean = this.facts.plain_means ? `, whose mean is ${fixed(most.wins / most.visits)}` : "";
    const then = next?.visits ? ` Next comes ${this.label(next.node)} with ${grouped(next.visits)}.` : "";
    return `${all} ${this.label(most.node)}${mean}.${then}`;
  }

  /** What was decided at one level of the walk, in words. */
  levelCaption(frame, level) {
    const node = frame.walk[level];
    const chosen = frame.walk[level + 1];
    if (chosen === undefined) return this.caption(frame);
    if (this.columns.chance?.[node])
      return `${capital(this.named(node))}: chance decides, ${this.label(chosen)}.`;
    return `${capital(this.named(node))}: ${this.#choiceIn(frame, node, chosen)}.`;
  }

  #choiceIn(frame, node, chosen) {
    const { level, own, rival } = this.table(frame, node);
    return choice(`move ${this.label(chosen)}`, own, rival, level, this.facts.tie);
  }

  /** The moves of an iteration's playout: labels, and on a board the cells after each. */
  playout(index) {
    const { columns, facts } = this;
    const moves = [];
    let cells = facts.board && this.cells(this.end(index));
    for (let m = this.playoutStart[index - 1]; m < this.playoutStart[index]; m++) {
      const before = cells;
      if (cells) {
        cells = Uint8Array.from(cells);
        for (let c = this.changeStart[m]; c < this.changeStart[m + 1]; c++) {
          cells[columns.change_place[c]] = columns.change_piece[c];
        }
      }
      moves.push({ label: facts.labels[columns.move_label[m]], cells, before });
    }
    return moves;
  }

  /** What is said of an iteration's playout, once it is over, and its positions. */
  playoutPanel({ index, phase }) {
    if (phase < 2 || this.facts.watched) return { title: "", note: "", moves: [] };
    const moves = this.playout(index);
    const note = moves.map(({ label }) => label).join(", ") || "Nothing was played.";
    return { title: `Playout: ${this.outcome(index).result}`, note, moves };
  }

  /** How an iteration's playout ended, in words: its `result` and `rewards`. */
  outcome(index) {
    const { estimated, outcome } = this.columns; // the first only where playouts stop early
    const { estimate, result, rewards } = this.facts.outcomes[outcome[index - 1]];
    return { result: estimated?.[index - 1] ? estimate : result, rewards };
  }
}

function sums(values) {
  const running = new Uint32Array(values.length + 1);
  values.forEach((value, i) => (running[i + 1] = running[i] + value));
  return running;
}

const textOf = (score) => (Number.isFinite(score) ? scored(score) : "");

const marked = (row, isChosen) => ({ ...row, chosen: isChosen, winner: isChosen });

/** The rows that have a score of this name and are not `left` out, the highest first. */
const ranked = (rows, name, left) =>
  rows
    .filter((row) => !row[left] && Number.isFinite(row[name]))
    .toSorted((a, b) => b[name] - a[name]);

/** The scores of the move that the walk took, and of the best other one; not-a-number without. */
const bestOfBoth = (rows) =>
  [true, false].map((isWalked) => rows.find((row) => row.isWalked === isWalked)?.before ?? NaN);

/** As many decimals as tell the highest score from the next, and let leads be subtracted; none for counts. */
function digitsOf(scores, own, rival) {
  if (scores.every((score) => Number.isInteger(score) && Math.abs(score) > 1)) return 0;
  const next = scores.find((score) => score < scores[0]);
  const leads = [apart(scores[0], scores.at(1) ?? NaN), apart(Math.max(own, rival), Math.min(own, rival))];
  return Math.max(decimals(scores[0] - next), ...leads);
}

const capital = (text) => text[0].toUpperCase() + text.slice(1);
