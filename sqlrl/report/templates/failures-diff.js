// Which words of two queries differ. White space, comments and semicolons mean nothing and are not compared;
// letter case counts in strings and quoted names only, as in SQL itself.

const TOKEN =
  /\s+|--[^\n]*|\/\*[\s\S]*?\*\/|'(?:[^']|'')*'|"(?:[^"]|"")*"|\d+(?:\.\d+)?|[\p{L}_][\p{L}\p{N}_$]*|<>|!=|<=|>=|\|\||::|[\s\S]/gu;
const BLANK = /^(?:\s|--|\/\*|;$)/;
const CELLS_OF_TABLE = 2_000_000; // of the dynamic programme, about 1,400 words a side

/** The words, numbers, strings and signs of a query, and what lies between them. */
function tokensOf(sql) {
  return sql.match(TOKEN) || [];
}

/** What a token is compared by; null where it is not compared. */
function keyOf(token) {
  if (BLANK.test(token)) return null;
  if (token === "!=") return "<>";
  return token[0] === "'" || token[0] === '"' ? token : token.toLowerCase();
}

/**
 * Mark in two queries what the other one lacks, by a longest common subsequence of their tokens.
 *
 * Returns {left, right, bounded}: each side as pieces [text, marked] that join to the query. bounded is
 * true where the queries were too long to compare and all between their common ends is marked.
 */
function diffQueries(left, right) {
  const sides = [left, right].map((sql) => {
    const tokens = tokensOf(sql);
    const compared = tokens.flatMap((token, place) => (keyOf(token) === null ? [] : [place]));
    return { tokens, compared, keys: compared.map((place) => keyOf(tokens[place])) };
  });
  const [a, b] = sides.map((side) => side.keys);
  let start = 0;
  while (start < Math.min(a.length, b.length) && a[start] === b[start]) start += 1;
  let end = 0;
  while (end < Math.min(a.length, b.length) - start && a.at(-1 - end) === b.at(-1 - end)) end += 1;
  const inner = [a, b].map((keys) => keys.slice(start, keys.length - end));
  const bounded = (inner[0].length + 1) * (inner[1].length + 1) > CELLS_OF_TABLE;
  const common = bounded ? [[], []] : commonOf(...inner);
  const [first, second] = sides.map((side, place) => {
    const same = new Set(common[place].map((found) => found + start));
    const marked = new Set();
    side.compared.forEach((token, at) => {
      if (at >= start && at < side.keys.length - end && !same.has(at)) marked.add(token);
    });
    return piecesOf(side.tokens, marked);
  });
  return { left: first, right: second, bounded };
}

/** The places in a and in b of a longest common subsequence. */
function commonOf(a, b) {
  const width = b.length + 1;
  const longest = new Uint16Array((a.length + 1) * width);
  for (let i = a.length - 1; i >= 0; i -= 1) {
    for (let j = b.length - 1; j >= 0; j -= 1) {
      longest[i * width + j] =
        a[i] === b[j]
          ? longest[(i + 1) * width + j + 1] + 1
          : Math.max(longest[(i + 1) * width + j], longest[i * width + j + 1]);
    }
  }
  const found = [[], []];
  for (let i = 0, j = 0; i < a.length && j < b.length; ) {
    if (a[i] === b[j]) {
      found[0].push(i);
      found[1].push(j);
      i += 1;
      j += 1;
    } else if (longest[(i + 1) * width + j] >= longest[i * width + j + 1]) i += 1;
    else j += 1;
  }
  return found;
}

/** Tokens joined to pieces [text, marked]; a space between two marked words is marked with them. */
function piecesOf(tokens, marked) {
  const pieces = [];
  tokens.forEach((token, place) => {
    const between = keyOf(token) === null && marked.has(place - 1) && marked.has(place + 1);
    const mark = marked.has(place) || (between && !token.includes("\n"));
    const last = pieces.at(-1);
    if (last && last[1] === mark) last[0] += token;
    else pieces.push([token, mark]);
  });
  return pieces;
}
