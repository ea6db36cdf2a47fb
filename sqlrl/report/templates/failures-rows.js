// Where two row sets differ. Like the verifier, column order is free and rows are a bag; but this is a
// picture for a reader, made from the first rows only, and it judges nothing.

const NUMBER = /^-?\d+(?:\.\d+)?(?:e[+-]?\d+)?$/i;

/** What a cell is compared by: NULL is equal to NULL, numbers to two decimals. */
function cellKey(cell) {
  if (cell === null) return "null";
  return NUMBER.test(cell) ? `number ${Math.round(Number(cell) * 100) / 100}` : `text ${cell}`;
}

/** How many members two bags of keys share. */
function sharedOf(a, b) {
  const counts = new Map();
  for (const key of a) counts.set(key, (counts.get(key) || 0) + 1);
  let shared = 0;
  for (const key of b) {
    const left = counts.get(key) || 0;
    if (left) {
      shared += 1;
      counts.set(key, left - 1);
    }
  }
  return shared;
}

/**
 * The pairs of a greedy matching, the best first: [a, b] with a in 0..rows-1 and b in 0..columns-1.
 * Equal scores go to the pair whose numbers are nearest; pairs that score below least stay apart.
 */
function matchGreedily(rows, columns, score, least) {
  const pairs = [];
  for (let a = 0; a < rows; a += 1) for (let b = 0; b < columns; b += 1) pairs.push([a, b, score(a, b)]);
  pairs.sort((one, two) => two[2] - one[2] || Math.abs(one[0] - one[1]) - Math.abs(two[0] - two[1]) || one[0] - two[0]);
  const [takenA, takenB] = [new Set(), new Set()];
  const found = [];
  for (const [a, b, points] of pairs) {
    if (points < least || takenA.has(a) || takenB.has(b)) continue;
    takenA.add(a);
    takenB.add(b);
    found.push([a, b]);
  }
  return found;
}

/**
 * Compare a reference's rows with a reply's.
 *
 * ordered: rows are compared place by place, because the order is what is wrong.
 * Returns {columns, reference, reply}. columns[j] is the reference's column that the reply's column j
 * was compared with, -1 where there is none. reference and reply have an entry a row: {kind, cells},
 * kind "same", "differs" or "alone", cells true where one differs.
 */
function compareRows(reference, reply, ordered) {
  const keys = [reference, reply].map((rows) => rows.map((row) => row.map(cellKey)));
  const widths = keys.map((rows) => (rows.length ? rows[0].length : 0));
  const columnOf = (rows, column) => rows.map((row) => row[column]);
  const columns = Array(widths[1]).fill(-1);
  const shared = (a, b) => sharedOf(columnOf(keys[0], a), columnOf(keys[1], b));
  // A column that shares nothing is still compared with what is left, as long as there is something.
  for (const [a, b] of matchGreedily(widths[0], widths[1], shared, 0)) columns[b] = a;
  const equals = (a, b) => columns.map((from, to) => from >= 0 && keys[0][a][from] === keys[1][b][to]);
  const count = (a, b) => equals(a, b).filter(Boolean).length;
  const pairs = ordered
    ? keys[0].slice(0, keys[1].length).map((_, place) => [place, place])
    : matchGreedily(keys[0].length, keys[1].length, count, 1);
  const alone = (width) => ({ kind: "alone", cells: Array(width).fill(true) });
  const found = {
    columns,
    reference: keys[0].map(() => alone(widths[0])),
    reply: keys[1].map(() => alone(widths[1])),
  };
  for (const [a, b] of pairs) {
    const same = equals(a, b);
    const left = Array(widths[0]).fill(true);
    columns.forEach((from, to) => {
      if (from >= 0) left[from] = !same[to];
    });
    const kind = (cells) => (cells.some(Boolean) ? "differs" : "same");
    const right = same.map((one) => !one);
    // A column more or less makes a row differ on both sides.
    const both = kind([...left, ...right]);
    found.reference[a] = { kind: both, cells: left };
    found.reply[b] = { kind: both, cells: right };
  }
  return found;
}

/** The comparison in words, for those who see no colours and for all others. */
function describeRows(found) {
  const count = (side, kind) => side.filter((row) => row.kind === kind).length;
  const [given, same] = [found.reply.length, count(found.reply, "same")];
  if (!given) return `The reply has no rows, the reference ${found.reference.length}.`;
  const few = same === 1 || given === 1;
  const parts = [`${same} of ${given} ${given === 1 ? "row" : "rows"} ${few ? "is" : "are"} as in the reference`];
  const differs = count(found.reply, "differs");
  if (differs) parts.push(`${differs} ${differs === 1 ? "differs" : "differ"} in the marked cells`);
  const [missing, more] = [count(found.reference, "alone"), count(found.reply, "alone")];
  if (missing) parts.push(`${missing} only in the reference`);
  if (more) parts.push(`${more} only in the reply`);
  return `${parts.join(", ")}.`;
}
