// A moment of a film: where a reader is, without a page. All ways to move lead through `stand`.

export class Moment {
  index = 1; // an index of the film and a phase,
  phase = 0;
  level; // and in Select a level of the walk, if not all of it is in sight
  focus = 0; // the node whose decision is explained

  constructor(film) {
    this.film = film;
  }

  /** The iteration of the search. */
  get iteration() {
    return this.film.iterationAt(this.index);
  }

  /**
   * Go to a moment, in Select at a level of its walk: the trail then leads no further. What lies
   * outside the film is moved to its nearest end.
   */
  stand({ index, phase, level }) {
    const {
      film,
      film: {
        facts: { iterations },
      },
    } = this;
    this.index = Math.max(1, Math.min(iterations, Math.round(index) || 1));
    this.phase = film.phaseAt(this.index, phase);
    const path = film.pathTo(film.end(this.index));
    if (level !== undefined) this.focus = path[level];
    // a level's focus was the walk's own, not the reader's
    else if (this.level !== undefined || !(path.includes(this.focus) || this.#isThere(this.focus)))
      this.focus = 0;
    this.level = level;
  }

  #isThere(node) {
    return this.film.births[node] < this.iteration;
  }

  /** Where a step forward (1) or back (-1) leads: a phase, in Select a level; nowhere at the film's end. */
  next(way) {
    const { film, focus, index, phase } = this;
    const level = Math.max(0, this.#walk().indexOf(focus)) + way;
    if (level >= 0 && level < this.levels(index, phase)) return { index, phase, level };
    const [next, then] = film.after(index, phase, way);
    if (next < 1 || next > film.facts.iterations) return undefined;
    const levels = this.levels(next, then);
    return { index: next, phase: then, level: levels ? (way > 0 ? 0 : levels - 1) : undefined };
  }

  #walk() {
    return this.film.frame(this.index, this.phase).walk;
  }

  /** At so many decisions a step stops: in Select at those of the walk. Two films have two walks. */
  levels(index, phase) {
    return phase || this.isPaired ? 0 : this.film.frame(index, phase).levels;
  }

  /** The same phase of the iteration before (-1) or after (1). */
  nextIteration(way) {
    const [index, phase] = this.film.stepIteration(this.index, this.phase, way);
    return { index, phase };
  }
}
