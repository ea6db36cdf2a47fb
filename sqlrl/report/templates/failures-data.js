"use strict";
// What the explorer reads: the page's packed data as tasks, replies and what became of them.
// sqlrl/report/explorer.py writes the data; the comments there say what each field is.

const NOT_SCORED = -1;
const WRONG_ROWS = 2; // the first of data.fates that is wrong on main itself

/** Base64 of a zlib stream of JSON, as the value that it holds. */
async function unpack(packed) {
  const text = atob(packed.trim());
  const bytes = new Uint8Array(text.length);
  for (let place = 0; place < text.length; place += 1) bytes[place] = text.charCodeAt(place);
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
  return new Response(stream).json();
}

/** All that there is of one task. Made anew at each call: only tasks that are looked at need it. */
function taskAt(data, index) {
  const [question, sql, reference, rowSets, , replies] = data.readings[index];
  const { columns, names } = data;
  const named = (name) => names[name][columns[name][index]];
  return {
    index,
    id: data.ids[index],
    question,
    sql,
    rows: rowSets[reference],
    rowCount: columns.rows[index],
    archetype: named("archetype"),
    difficulty: named("difficulty"),
    style: named("style"),
    database: named("database"),
    tables: columns.tables[index].map((table) => names.tables[table]),
    seen: columns.seen[index] === 1,
    answers: data.checkpoints.map((_, checkpoint) =>
      replies
        .slice(checkpoint * data.k, (checkpoint + 1) * data.k)
        .map((place) => (place === NOT_SCORED ? null : answerAt(data, index, place))),
    ),
  };
}

/** One of a task's different answers; text is null and rows are undefined where they were left out of the page. */
function answerAt(data, index, place) {
  const [, , , rowSets, answers] = data.readings[index];
  const [fate, reason, message, twin, truncated, before, sql, after, cut, rows] = answers[place];
  return {
    fate,
    reason: data.reasons[reason][0],
    meaning: data.reasons[reason][1],
    message,
    twin,
    truncated: truncated === 1,
    sql,
    text: before === null || after === null ? before : before + sql + after,
    cut,
    rows: rows === null ? undefined : rowSets[rows],
  };
}

/** The numbers of a checkpoint's answers to a task, samples in order, without those not scored. */
function placesOf(data, index, checkpoint) {
  const replies = data.readings[index][5];
  return replies
    .slice(checkpoint * data.k, (checkpoint + 1) * data.k)
    .filter((place) => place !== NOT_SCORED);
}

/** How many of a checkpoint's replies to a task are right, and of how many. */
function rightOf(data, index, checkpoint) {
  const answers = data.readings[index][4];
  const places = placesOf(data, index, checkpoint);
  return { right: places.filter((place) => data.right.includes(answers[place][0])).length, of: places.length };
}

/**
 * What training changed for a task between two checkpoints: fixed, broken, still wrong or still right.
 * A task counts as right where at least half of its replies are; "" where one side was not scored.
 */
function changeOf(data, index, before, after) {
  const [old, now] = [before, after].map((checkpoint) => rightOf(data, index, checkpoint));
  if (!old.of || !now.of) return "";
  const [was, is] = [old, now].map(({ right, of }) => 2 * right >= of);
  if (was === is) return is ? "still right" : "still wrong";
  return is ? "fixed" : "broken";
}
