// Draws one task. All texts of models and databases go in as text nodes: a reply is never markup.

const SIGNS = ["✓", "✓?", "≠", "✗", "∅"]; // one for each of data.fates
const FATE_CLASSES = ["k1", "k5", "k2", "k3", "k4"];
const CHANGE_CLASSES = { fixed: "better", broken: "worse", "still wrong": "open", "still right": "same" };

/** An element with attributes and children; strings become text nodes, nothing else is made of them. */
function element(name, attributes = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (value === true) made.setAttribute(key, "");
    else if (value !== false && value !== null) made.setAttribute(key, value);
  }
  made.append(...children.flat().filter((child) => child !== null));
  return made;
}

function quiet(...children) {
  return element("p", { class: "quiet" }, ...children);
}

/** A query with what the other side lacks in <mark>. */
function markedQuery(pieces, label) {
  const parts = pieces.map(([text, marked]) => (marked ? element("mark", {}, text) : text));
  return element("pre", { "aria-label": label }, ...parts);
}

/** Rows as a table; compared: what compareRows says of this side, or null. */
function rowsTable(rows, caption, compared) {
  const cellOf = (cell, marked) => {
    const text = cell === null ? element("em", {}, "NULL") : cell;
    return element("td", {}, marked ? element("mark", {}, text) : text);
  };
  const lines = rows.map((row, place) => {
    const found = compared && compared[place];
    return element(
      "tr",
      { class: found ? `is-${found.kind}` : null },
      row.map((cell, column) => cellOf(cell, Boolean(found && found.cells[column]))),
    );
  });
  if (!lines.length) lines.push(element("tr", {}, element("td", {}, element("em", {}, "no rows"))));
  const table = element("table", { class: "cells" }, element("caption", {}, caption), element("tbody", {}, lines));
  return element("div", { class: "scroll", tabindex: "0", role: "group", "aria-label": caption }, table);
}

/** Of how many rows a table shows the first. */
function captionOf(name, shown, total) {
  return total > shown ? `${name}, the first ${shown} of ${total}` : name;
}

/** Both row sets with their differences, as {reference, reply, words}; null where there is nothing to show. */
function bothRows(data, task, answer) {
  const reason = answer && answer.reason;
  const both = task.rows && answer && answer.rows;
  const found = both ? compareRows(task.rows, answer.rows, reason === "order_differs") : null;
  const title = "Rows of the reference";
  const name = captionOf(title, task.rows ? task.rows.length : 0, task.rowCount);
  const cut = both && Math.max(task.rows.length, answer.rows.length) >= data.preview_rows;
  const words = found ? [describeRows(found)] : [];
  if (found && reason === "order_differs") words.push("Rows are compared place by place: only their order is wrong.");
  if (found && found.columns.some((from, to) => from >= 0 && from !== to)) {
    words.push("The reply has its columns in another order, which is allowed; cells are compared column by column.");
  }
  if (cut) words.push(`Only the first ${data.preview_rows} rows of each side are kept and compared here.`);
  return {
    reference: task.rows ? rowsTable(task.rows, name, found && found.reference) : quiet(`${title} were not read.`),
    reply: answer && answer.rows ? rowsTable(answer.rows, "Rows of the reply", found && found.reply) : null,
    words: found && answer.fate >= WRONG_ROWS ? quiet(words.join(" ")) : null,
  };
}

/** Why a reply has the verdict that it has. */
function verdictLines(answer) {
  const lines = [element("p", {}, element("code", {}, answer.reason), answer.meaning && ` ${answer.meaning}`)];
  if (answer.message) lines.push(element("p", { class: "message" }, answer.message));
  if (answer.twin) {
    const text = `Right on the main database and wrong on a hidden one with other data (${answer.twin}): luck.`;
    lines.push(element("p", {}, text));
  }
  if (answer.truncated) lines.push(element("p", {}, "The reply was cut off: it ran out of tokens."));
  return lines;
}

/** The reply's own column: its query, or its whole text where it has none. */
function replyTexts(answer, pieces) {
  const cut = answer.cut ? quiet(`${answer.cut} more characters of this reply are left out of the page.`) : null;
  if (answer.sql === null && answer.text === null) {
    return [quiet("The text of this reply is left out of the page, which would grow too large; it is in the run's rollouts.")];
  }
  if (answer.sql === null) return [element("pre", { "aria-label": "Reply" }, answer.text), cut];
  const around = answer.text.replace(answer.sql, "").replace(/```(?:sql|postgres|postgresql)?|\s+/gi, "");
  const whole = element(
    "details",
    { class: "whole" },
    element("summary", {}, "The whole reply"),
    element("pre", {}, answer.text),
    cut,
  );
  return [markedQuery(pieces, "Query of the reply"), around || cut ? whole : null];
}

/** Reference and reply side by side. */
function comparison(data, task, checkpoint, sample) {
  const answer = task.answers[checkpoint][sample] || null;
  const name = data.checkpoints[checkpoint];
  const diff = answer && answer.sql !== null ? diffQueries(task.sql, answer.sql) : null;
  const rows = bothRows(data, task, answer);
  const bounded = diff && diff.bounded ? quiet("These queries are too long to compare word by word.") : null;
  const title = answer
    ? `Reply ${sample + 1} of ${name}: ${data.fates[answer.fate]}`
    : `${name} was not scored on this question`;
  return [
    element(
      "div",
      { class: "pair" },
      element("div", {}, element("h3", {}, "Reference"), markedQuery(diff ? diff.left : [[task.sql, false]], "Reference query")),
      element(
        "div",
        {},
        element("h3", {}, title),
        answer && replyTexts(answer, diff && diff.right),
        bounded,
        answer && verdictLines(answer),
      ),
    ),
    element("div", { class: "pair" }, element("div", {}, rows.reference), element("div", {}, rows.reply || noRows(answer))),
    rows.words,
  ].filter(Boolean);
}

/** Why a reply has no table of rows. */
function noRows(answer) {
  if (!answer || answer.fate > WRONG_ROWS) return quiet("Rows of the reply: none.");
  if (answer.rows === undefined) return quiet("The rows of this reply are left out of the page; they are in the run's scores.");
  return quiet(answer.reason === "too_many_rows" ? "Rows of the reply: not read." : "Rows of the reply: not kept.");
}

/** All replies to a task as radio buttons, a line a checkpoint. */
function picker(data, task, chosen, choose) {
  const lines = task.answers.map((answers, checkpoint) => {
    const buttons = answers.map((answer, sample) => {
      if (!answer) return element("span", { class: "quiet" }, "not scored");
      const fate = data.fates[answer.fate];
      const input = element("input", {
        type: "radio",
        name: `reply-${task.id}`,
        checked: checkpoint === chosen.checkpoint && sample === chosen.sample,
        "aria-label": `${data.checkpoints[checkpoint]}, reply ${sample + 1}: ${fate}`,
      });
      input.addEventListener("change", () => choose(checkpoint, sample));
      const sign = element("span", { class: `sign ${FATE_CLASSES[answer.fate]}`, "aria-hidden": "true" }, SIGNS[answer.fate]);
      return element("label", { title: fate }, input, sign);
    });
    return element("div", { class: "line" }, element("span", {}, data.checkpoints[checkpoint]), buttons);
  });
  return element("fieldset", { class: "picker" }, element("legend", {}, "All replies to this question"), lines);
}

/** What opens below a task: its kind, all replies, and one of them beside the reference. */
function taskBody(data, task, checkpoint, sample) {
  const shown = element("div", { class: "shown" }, comparison(data, task, checkpoint, sample));
  const choose = (of, place) => shown.replaceChildren(...comparison(data, task, of, place));
  const about = `${task.database}, tables ${task.tables.join(", ")} · ${task.style} · ${seenWords(task)}`;
  return [
    picker(data, task, { checkpoint, sample }, choose),
    shown,
    quiet(`${about} · `, element("a", { href: `#task-${task.id}` }, "Link to this question"), ` (task ${task.id})`),
  ];
}

function seenWords(task) {
  return task.seen ? "shape seen in training" : "shape never seen";
}

/** A task in the list: its question, what training changed, and what opens below it. */
function taskItem(data, index, filter, isOpen) {
  const task = taskAt(data, index);
  const change = changeOf(data, index, filter.before, filter.checkpoint);
  const share = (checkpoint) => {
    const { right, of } = rightOf(data, index, checkpoint);
    return `${data.checkpoints[checkpoint]} ${of ? `${right} of ${of} right` : "not scored"}`;
  };
  const ends = filter.before === filter.checkpoint ? [filter.checkpoint] : [filter.before, filter.checkpoint];
  const body = element("div", { class: "body" });
  const line = [ends.map(share).join(" → "), task.difficulty, task.archetype, seenWords(task)].join(" · ");
  const details = element(
    "details",
    { id: `task-${task.id}`, open: isOpen },
    element(
      "summary",
      {},
      element("span", { class: "question" }, task.question),
      element(
        "span",
        { class: "quiet" },
        change && ends.length > 1 ? element("span", { class: `chip ${CHANGE_CLASSES[change]}` }, change) : "",
        ` ${line}`,
      ),
    ),
    body,
  );
  const fill = () => {
    if (!details.open) body.replaceChildren();
    else if (!body.hasChildNodes()) {
      const sample = firstSample(data, index, filter.checkpoint, filter.kind);
      body.append(...taskBody(data, task, filter.checkpoint, sample));
    }
  };
  fill();
  details.addEventListener("toggle", fill);
  return element("li", {}, details);
}
