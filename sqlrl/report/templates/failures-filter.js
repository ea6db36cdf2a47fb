// Which tasks a reader asked for, and the same in words.

const ANY_WRONG = "wrong";

/** The words of a search; a task must hold each of them, or have it as its id. */
function wordsOf(text) {
  return text.toLowerCase().split(/\s+/).filter(Boolean);
}

/** The text of a task that is searched: question, reference, and a checkpoint's replies, queries and error messages. */
function searchText(data, index, checkpoint) {
  const [question, sql, , , answers] = data.readings[index];
  const texts = placesOf(data, index, checkpoint).flatMap((place) => {
    const [, , message, , , before, query, after] = answers[place];
    return [message, before, query, after];
  });
  return [question, sql, ...texts].join("\n").toLowerCase();
}

/** Says of a reply's fields whether it is what the reader wants to see: a kind of error or a reason code. */
function wantedReply(data, kind) {
  if (kind === "") return () => true;
  if (kind === ANY_WRONG) return (answer) => !data.right.includes(answer[0]);
  if (kind === "truncated") return (answer) => answer[4] === 1;
  const [what, value] = kind.split(":");
  return what === "fate"
    ? (answer) => answer[0] === Number(value)
    : (answer) => answer[1] === Number(value);
}

/**
 * The tasks that pass a filter, in the order of their ids.
 *
 * filter: {checkpoint, before, kind, change, archetype, difficulty, database, table, seen, search};
 * checkpoint and before are numbers, the others strings, "" where all pass.
 * texts: remembers the searched text of each checkpoint between calls.
 */
function findTasks(data, filter, texts = new Map()) {
  const { columns, readings } = data;
  const wanted = wantedReply(data, filter.kind);
  const words = wordsOf(filter.search);
  if (words.length && !texts.has(filter.checkpoint)) {
    texts.set(filter.checkpoint, data.ids.map((_, index) => searchText(data, index, filter.checkpoint)));
  }
  const searched = texts.get(filter.checkpoint);
  const asked = ["archetype", "difficulty", "database", "seen"].filter((name) => filter[name] !== "");
  return data.ids.flatMap((_, index) => {
    if (asked.some((name) => columns[name][index] !== Number(filter[name]))) return [];
    if (filter.table !== "" && !columns.tables[index].includes(Number(filter.table))) return [];
    if (filter.change !== "" && changeOf(data, index, filter.before, filter.checkpoint) !== filter.change) return [];
    const places = filter.kind === "" ? [] : placesOf(data, index, filter.checkpoint);
    if (filter.kind !== "" && !places.some((place) => wanted(readings[index][4][place]))) return [];
    if (!words.every((word) => searched[index].includes(word) || word === data.ids[index])) return [];
    return [index];
  });
}

/** Which sample of a checkpoint to show first: one that the filter asks for, else a wrong one, else the first. */
function firstSample(data, index, checkpoint, kind) {
  const answers = data.readings[index][4];
  const places = placesOf(data, index, checkpoint);
  for (const one of [kind, ANY_WRONG]) {
    const found = places.findIndex((place) => one !== "" && wantedReply(data, one)(answers[place]));
    if (found >= 0) return found;
  }
  return 0;
}
