// The explorer itself: filters, the list of hits, links to single tasks. Everything below the form is
// drawn when it is asked for, a page of hits at a time.

const HITS_A_PAGE = 25;
const SEARCH_DELAY = 120; // milliseconds after the last key

const part = (name) => document.getElementById(`failures-${name}`);

/** Unpack the data and put the explorer in the place of the static list; say so where a browser cannot. */
async function startExplorer() {
  const packed = part("data");
  if (!packed) return;
  const say = (text) => {
    part("message").textContent = text;
    part("message").hidden = false;
  };
  if (typeof DecompressionStream === "undefined") {
    say("This browser is too old to unpack all questions that lie in this page; here are some failures instead.");
    return;
  }
  try {
    new FailureExplorer(await unpack(packed.textContent)).start();
  } catch (error) {
    say(`The questions that lie in this page cannot be read (${error.message}); here are some failures instead.`);
  }
}

class FailureExplorer {
  constructor(data) {
    this.data = data;
    this.section = document.getElementById("failures");
    this.form = part("filter");
    this.texts = new Map(); // searched texts by checkpoint
    this.open = new Set(); // tasks that the reader opened
    this.linked = null; // the task of the address, shown whatever the filter says
    this.shown = HITS_A_PAGE;
  }

  start() {
    this.fillForm();
    // The static list stays for print; its ids now belong to the explorer.
    for (const one of part("chosen").querySelectorAll("details")) one.removeAttribute("id");
    part("explorer").hidden = false;
    this.section.classList.add("is-live");
    this.draw();
    this.listen();
    this.follow();
    this.section.dataset.ready = "true";
  }

  /** Give each list of choices its options; one with a single choice is no choice. */
  fillForm() {
    const { checkpoints, last, fates, reasons, names } = this.data;
    const numbered = (texts) => texts.map((text, place) => [String(place), text]);
    const options = (name, pairs) => {
      const made = pairs.map(([value, text]) => element("option", { value }, text));
      this.form.elements[name].append(...made);
    };
    options("checkpoint", numbered(checkpoints));
    options("before", numbered(checkpoints));
    options("kind", fates.map((fate, place) => [`fate:${place}`, fate]));
    const known = reasons.map(([code, meaning], place) => [`reason:${place}`, meaning ? `${code}: ${meaning}` : code]);
    const group = element("optgroup", { label: "Reason code" });
    group.append(...known.sort((a, b) => (a[1] < b[1] ? -1 : 1)).map(([value, text]) => element("option", { value }, text)));
    this.form.elements.kind.append(group);
    for (const name of ["archetype", "difficulty", "database"]) {
      options(name, numbered(names[name]).sort((a, b) => (a[1] < b[1] ? -1 : 1)));
      this.form.elements[name].parentElement.hidden = names[name].length < 2;
    }
    options("table", numbered(names.tables).sort((a, b) => (a[1] < b[1] ? -1 : 1)));
    for (const name of ["before", "change"]) this.form.elements[name].parentElement.hidden = checkpoints.length < 2;
    this.form.elements.checkpoint.options[last].defaultSelected = true;
    this.form.elements.before.options[0].defaultSelected = true;
    this.form.reset();
  }

  listen() {
    let waiting;
    const changed = () => {
      this.linked = null;
      this.shown = HITS_A_PAGE;
      this.touch();
      this.draw();
    };
    this.form.addEventListener("submit", (event) => event.preventDefault());
    this.form.addEventListener("reset", () => setTimeout(changed));
    this.form.addEventListener("change", (event) => event.target.name !== "search" && changed());
    this.form.elements.search.addEventListener("input", () => {
      clearTimeout(waiting);
      waiting = setTimeout(changed, SEARCH_DELAY);
    });
    part("more").addEventListener("click", () => this.showMore());
    part("all").addEventListener("click", () => this.openAll());
    window.addEventListener("hashchange", () => this.follow());
    // A second click on the link of the address changes nothing there, and still should lead to the task.
    part("explorer").addEventListener("click", (event) => {
      const link = event.target.closest("a[href^='#task-']");
      if (link && link.hash === location.hash) this.follow();
    });
  }

  /** From now on the explorer is printed, and not the static list. */
  touch() {
    this.section.classList.add("is-touched");
  }

  filter() {
    const { elements } = this.form;
    const names = ["kind", "change", "archetype", "difficulty", "database", "table", "seen", "search"];
    return {
      checkpoint: Number(elements.checkpoint.value),
      before: Number(elements.before.value),
      ...Object.fromEntries(names.map((name) => [name, elements[name].value])),
    };
  }

  draw() {
    const filter = this.filter();
    this.hits = findTasks(this.data, filter, this.texts);
    const outside = this.linked !== null && !this.hits.includes(this.linked);
    const listed = this.hits.slice(0, this.shown);
    if (this.linked !== null && !listed.includes(this.linked)) listed.unshift(this.linked);
    const items = listed.map((index) => this.item(index, filter));
    if (outside) items[0].prepend(quiet("The question of the link; the filters would leave it out."));
    part("hits").replaceChildren(...items);
    this.describe(filter);
  }

  item(index, filter) {
    const made = taskItem(this.data, index, filter, this.open.has(index));
    const details = made.querySelector("details");
    details.addEventListener("toggle", () => {
      if (details.open === this.open.has(index)) return;
      this.open[details.open ? "add" : "delete"](index);
      this.touch();
    });
    return made;
  }

  /** The number of hits, for the eye and for a screen reader, and the filters in words, for paper. */
  describe(filter) {
    const [found, all] = [this.hits.length, this.data.ids.length];
    const shown = Math.min(this.shown, found);
    const questions = all === 1 ? "question" : "questions";
    const listed = shown < found ? ` The first ${shown} are listed.` : "";
    part("count").textContent = found
      ? `${found.toLocaleString("en")} of ${all.toLocaleString("en")} ${questions}.${listed}`
      : `None of ${all.toLocaleString("en")} ${questions}: take a filter away.`;
    const chosen = [...this.form.querySelectorAll("select")]
      .filter((select) => select.value !== "" && !select.parentElement.hidden)
      .map((select) => `${select.parentElement.firstElementChild.textContent}: ${select.selectedOptions[0].textContent}`);
    if (filter.search) chosen.push(`Search: ${filter.search}`);
    part("printed").textContent = chosen.join("; ");
    part("more").hidden = shown >= found;
    part("more").textContent = `Show ${Math.min(HITS_A_PAGE, found - shown)} more`;
    part("all").hidden = !found;
  }

  showMore() {
    const first = this.shown;
    this.shown += HITS_A_PAGE;
    const filter = this.filter();
    const linked = part("hits").children.length > first ? this.linked : null;
    const added = this.hits.slice(first, this.shown).filter((index) => index !== linked);
    const items = added.map((index) => this.item(index, filter));
    part("hits").append(...items);
    this.touch();
    this.describe(filter);
    items[0]?.querySelector("summary").focus();
  }

  openAll() {
    this.touch();
    for (const details of part("hits").querySelectorAll("li > details")) details.open = true;
  }

  /** Open the task of the address, whatever the filter says, and go there. */
  follow() {
    const id = location.hash.match(/^#task-(.+)$/)?.[1];
    if (id === undefined) return;
    const index = this.data.ids.indexOf(id);
    if (index < 0) {
      part("count").textContent = `This report has no question ${id}.`;
      this.section.scrollIntoView({ behavior: "instant" });
      return;
    }
    this.linked = index;
    this.open.add(index);
    this.touch();
    this.draw();
    const details = document.getElementById(`task-${id}`);
    details.scrollIntoView({ behavior: "instant" });
    details.querySelector("summary").focus({ preventScroll: true });
  }
}

startExplorer();
