#!/usr/bin/env bash
# An objective of one player counts as a success of both in boardgame.io's search.
#
# Expected: MCTSBot takes `objectives(G, ctx, playerID)`, with weights. An objective that is given for player 1
#   alone ("two in a line, and the third cell free") should make player 0 more eager to prevent it.
# Version:  boardgame.io 0.50.2, Node 20. Tic-tac-toe, player 1 on 0 and 1, player 0 on 4 and to move: only 2
#   blocks.
# Seen:     without objectives player 0 blocks with all of 20 seeds; with the objective of weight 3 for player 1
#   it blocks with 2: the score of a playout is added to every node on the way, no matter who moved there.
#     no objectives: {"2":20}
#     with one for player 1: {"2":2,"7":16,"8":2}
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund boardgame.io@0.50.2
cat >search.js <<'SCRIPT'
const { Client } = require("boardgame.io/client");
const { MCTSBot } = require("boardgame.io/ai");

const LINES = ["012", "345", "678", "036", "147", "258", "048", "246"].map((line) => [...line].map(Number));
const START = ["1", "1", null, null, "0", null, null, null, null];
const game = {
  setup: () => ({ cells: [...START] }),
  turn: { minMoves: 1, maxMoves: 1 },
  moves: {
    place: ({ G, playerID }, cell) => {
      G.cells[cell] = playerID;
    },
  },
  endIf: ({ G: { cells }, ctx }) => {
    const mark = ctx.currentPlayer;
    if (LINES.some((line) => line.every((cell) => cells[cell] === mark))) return { winner: mark };
    return cells.includes(null) ? undefined : { draw: true };
  },
};
const enumerate = ({ cells }) =>
  cells.flatMap((mark, cell) => (mark === null ? [{ move: "place", args: [cell] }] : []));
const threatens = ({ cells }) =>
  LINES.some((line) => {
    const marks = line.map((cell) => cells[cell]);
    return marks.filter((mark) => mark === "1").length === 2 && marks.includes(null);
  });
const objectives = (G, ctx, playerID) =>
  playerID === "1" ? { threat: { checker: threatens, weight: 3 } } : {};

async function moves(more) {
  const counts = {};
  for (let seed = 0; seed < 20; seed++) {
    const client = Client({ game, debug: false });
    client.start();
    const state = client.getState();
    const bot = new MCTSBot({ game, enumerate, seed: `seed ${seed}`, iterations: 1000, ...more });
    const { action } = await bot.play(state, state.ctx.currentPlayer);
    const [cell] = action.payload.args;
    counts[cell] = (counts[cell] ?? 0) + 1;
    client.stop();
  }
  return counts;
}

(async () => {
  const plain = await moves({});
  console.log("no objectives:", JSON.stringify(plain));
  const led = await moves({ objectives });
  console.log("with one for player 1:", JSON.stringify(led));
  if (plain[2] !== 20 || (led[2] ?? 0) > 10) process.exit(1);
})();
SCRIPT
node search.js
