// Where the boxes of a tree go: tidy rows, and leaves that hang from a stem where a row would be too
// wide. The same as the built-in engine and the arrangement of the still pictures, in points.

const BOX_GAP = 10.08; // between neighbours of one row
const ROW_GAP = 25.92; // between one row and the next
const STEM = 14; // between two columns of a bundle
const LEAD = 6; // above one column, for the edge to reach its stem
const BUNDLE_GAP = 14; // between the rows of a bundle
const LIKING = { 2: 1, 1: 0.85 }; // one column looks less like a tree

/** Place boxes of `sizes` [width, height]; `parents[i] < i` is the box above box i, -1 for box 0. */
export function layOut(sizes, parents) {
  const rows = rowsOf(parents);
  const xs = columnsOf(sizes, parents);
  const ys = [];
  let top = 0;
  for (const row of rows) {
    const height = Math.max(...row.map((box) => sizes[box][1]));
    for (const box of row) ys[box] = top + height / 2;
    top += height + ROW_GAP;
  }
  return framed(xs, ys, sizes, parents, rows);
}

/** The numbers of the boxes of every depth. */
function rowsOf(parents) {
  const depths = [0];
  const rows = [[0]];
  for (let box = 1; box < parents.length; box++) {
    depths[box] = depths[parents[box]] + 1;
    (rows[depths[box]] ??= []).push(box);
  }
  return rows;
}

/** The x of the centre of every box, after A. Kennedy, "Drawing trees" (1996). */
function columnsOf(sizes, parents) {
  const children = sizes.map(() => []);
  for (let box = 1; box < sizes.length; box++) children[parents[box]].push(box);
  const outlines = []; // of each subtree: left and right of each row, from its root's x
  const xs = sizes.map(() => 0); // from the parent at first
  for (let box = sizes.length - 1; box >= 0; box--) {
    const below = children[box].map((child) => outlines[child]);
    const outline = [[-sizes[box][0] / 2, sizes[box][0] / 2]];
    spread(below).forEach((x, place) => {
      xs[children[box][place]] = x;
      below[place].forEach(([left, right], row) => {
        outline[row + 1] = [outline[row + 1]?.[0] ?? x + left, x + right];
      });
    });
    outlines[box] = outline;
  }
  for (let box = 1; box < sizes.length; box++) xs[box] += xs[parents[box]];
  return xs;
}

/** Where siblings stand, 0 in the middle: the mean of packing them leftwards and rightwards. */
function spread(outlines) {
  const mirrored = outlines.toReversed().map((rows) => rows.map(([left, right]) => [-right, -left]));
  const rightwards = pack(mirrored).toReversed();
  const means = pack(outlines).map((x, place) => (x - rightwards[place]) / 2);
  const middle = (means[0] + means.at(-1)) / 2;
  return means.map((x) => x - middle);
}

/** Push each subtree as far left as the ones before it allow, row by row. */
function pack(outlines) {
  const edge = []; // the right edge so far of each row
  return outlines.map((outline) => {
    const shared = outline.slice(0, edge.length);
    const x = shared.length ? Math.max(...shared.map(([left], row) => edge[row] + BOX_GAP - left)) : 0;
    outline.forEach(([, right], row) => (edge[row] = x + right));
    return x;
  });
}

/** Move the boxes to the origin, and join each of them to its parent. */
function framed(xs, ys, sizes, parents, rows) {
  const left = Math.min(...xs.map((x, box) => x - sizes[box][0] / 2));
  const centers = xs.map((x, box) => [x - left, ys[box]]);
  const tops = ys.map((y, box) => y - sizes[box][1] / 2);
  const bottoms = ys.map((y, box) => y + sizes[box][1] / 2);
  const edges = sizes.map(() => "");
  for (let depth = 1; depth < rows.length; depth++) {
    const floor = Math.max(...rows[depth - 1].map((box) => bottoms[box]));
    const ceiling = Math.min(...rows[depth].map((box) => tops[box]));
    for (const box of rows[depth]) {
      const above = parents[box];
      edges[box] = edgeOf([centers[above][0], bottoms[above]], floor, ceiling, [centers[box][0], tops[box]]);
    }
  }
  const width = Math.max(...centers.map(([x], box) => x + sizes[box][0] / 2));
  return { width, height: Math.max(...bottoms), centers, edges };
}

/** A curve bent only between two rows, so that it crosses no neighbour and no other edge. */
function edgeOf(start, floor, ceiling, end) {
  const middle = (floor + ceiling) / 2;
  const curve = [[start[0], middle], [end[0], middle], [end[0], ceiling]];
  const rowEnd = [start[0], floor];
  if (start[1] < floor) curve.unshift(rowEnd, rowEnd, rowEnd);
  if (ceiling < end[1]) curve.push(end, end, end);
  const [first, ...others] = [start, ...curve].map(([x, y]) => `${x.toFixed(1)},${y.toFixed(1)}`);
  return `M${first}C${others.join(" ")}`;
}

/**
 * Place cards of one `size`, each with `overhang` points kept free below it, and leaves of one
 * parent in bundles where that makes the picture larger on a `page`.
 */
export function arrange(parents, size, overhang, page) {
  const inner = new Set(parents);
  const leaves = parents.map(() => []);
  parents.forEach((parent, card) => card && !inner.has(card) && leaves[parent].push(card));
  const scale = ({ width, height }) => Math.min(1, page[0] / width, page[1] / height);
  let best = bundled(parents, parents.map(() => []), 1, size, overhang);
  if (scale(best) === 1) return best;
  let most = scale(best);
  for (const columns of [2, 1]) {
    const bundles = leaves.map((cards) => (cards.length > columns ? cards : []));
    const way = bundled(parents, bundles, columns, size, overhang);
    if (LIKING[columns] * scale(way) <= most) continue;
    best = way;
    most = LIKING[columns] * scale(way);
  }
  return best;
}

function bundled(parents, bundles, columns, size, overhang) {
  const [wide, high] = [size[0], size[1] + overhang];
  const inBundle = new Set(bundles.flat());
  const alone = parents.map((_, card) => card).filter((card) => !inBundle.has(card));
  const box = new Map(alone.map((card, place) => [card, place]));
  const owners = parents.map((_, card) => card).filter((card) => bundles[card].length);
  const above = [...alone.map((card) => (card ? box.get(parents[card]) : -1)), ...owners.map((card) => box.get(card))];
  const lead = columns === 1 ? LEAD : 0;
  const rows = owners.map((card) => Math.ceil(bundles[card].length / columns));
  const widths = [...alone.map(() => wide), ...owners.map(() => columns * wide + STEM)];
  const asked = [...alone.map(() => high), ...rows.map((row) => lead + row * (high + BUNDLE_GAP) - BUNDLE_GAP)];
  const heights = [];
  for (const row of rowsOf(above)) {
    const tallest = Math.max(...row.map((place) => asked[place])); // cards of a depth begin on one line
    for (const place of row) heights[place] = tallest;
  }
  const { width, height, centers, edges } = layOut(widths.map((x, place) => [x, heights[place]]), above);
  const tops = centers.map(([, y], place) => y - heights[place] / 2);
  const corners = [];
  const paths = parents.map(() => "");
  // An edge starts at the parent's card, not below the room kept for its depth.
  const fromCard = (place) => edges[place] && `M${edges[place].slice(1).split(",", 1)[0]},${(tops[above[place]] + size[1]).toFixed(1)}L${edges[place].slice(1)}`;
  alone.forEach((card, place) => {
    corners[card] = [centers[place][0] - wide / 2, tops[place]];
    paths[card] = fromCard(place);
  });
  owners.forEach((owner, number) => {
    const place = alone.length + number;
    // One column stands to the right of its stem, two stand on either side.
    const stem = centers[place][0] - (columns === 1 ? wide / 2 : 0);
    const down = `${fromCard(place)}H${stem.toFixed(1)}`;
    bundles[owner].forEach((card, nth) => {
      const y = tops[place] + lead + Math.floor(nth / columns) * (high + BUNDLE_GAP);
      const isLeft = nth % columns < columns - 1;
      corners[card] = [isLeft ? stem - STEM / 2 - wide : stem + STEM / 2, y];
      paths[card] = `${down}V${(y + size[1] / 2).toFixed(1)}H${(stem + (isLeft ? -STEM : STEM) / 2).toFixed(1)}`;
    });
  });
  return { width, height, corners, edges: paths };
}
