// The page itself: it reads the fields, plays the round, and shows every step. Whatever it shows is set as text.

const $ = (id) => document.getElementById(id);
const pause = () => new Promise((resolve) => setTimeout(resolve));
const upper = (words) => words.charAt(0).toUpperCase() + words.slice(1);
const bare = (...parts) => Object.assign(Object.create(null), ...parts); // a field may be named constructor
const spaced = (name) => plain(name).replace(/_/g, " ");

let game = GAMES[0];
let controls = []; // of the game's fields, its parameters, and what was published before
let shownRound = null; // what the outcome is of: { fields, parameters, outcome, ... }
let tried = false; // whether fields that are missing are named
let running = null; // the walk or the check that goes on; another value stops it
const typed = new Map(); // by name, so that another game has the same seeds

// ---- the form

const exampleOf = (field) => {
  if (field.optional) return "";
  if (field.hex) return "0123456789abcdef".repeat(64).slice(0, field.hex === true ? 64 : field.hex);
  return field.kind === "number" ? 1 : `example of a ${spaced(field.label)}`;
};

const hintOf = (field) => {
  const digits = field.hex === true ? "hexadecimal digits" : field.hex ? `${field.hex} hexadecimal digits` : "";
  const what = digits || (field.kind === "number" ? "a whole number" : "");
  return [what, field.optional ? "optional" : ""].filter(Boolean).join(", ");
};

/** Add a control to the form, with its label, hint, and place for an error. */
const control = (group, name, label, hint, input) => {
  const id = `control-${controls.length}`;
  const error = make("span", { id: `${id}-error`, class: "error", role: "status" });
  fill(input, { id, "aria-describedby": error.id }, []);
  const note = hint ? [make("small", {}, ` ${hint}`)] : [];
  $(group).append(make("p", { class: "field" }, make("label", { for: id }, upper(spaced(label)), ...note), input, error));
  if (typed.has(name)) input.value = typed.get(name);
  if (input.selectedIndex === -1) input.append(make("option", { selected: "" }, typed.get(name))); // refused in words
  controls.push({ group, name, label, input, error });
};

const line = (facts) => make("input", { spellcheck: "false", autocapitalize: "off", autocomplete: "off", ...facts });

const select = (options, chosen) =>
  make("select", {}, ...options.map((one) => make("option", { value: one, selected: String(one) === String(chosen) && "" }, plain(one))));

const choose = (chosen) => {
  game = chosen;
  running = null;
  tried = false;
  controls = [];
  $("game").value = GAMES.indexOf(game);
  $("about").textContent = plain(game.about);
  for (const group of ["parameters", "fields", "published"])
    for (const one of [...$(group).querySelectorAll(".field")]) one.remove();
  for (const one of game.parameters) {
    if (one.fixed) $("parameters").append(make("p", { class: "field" }, `${upper(spaced(one.label))}: ${plain(one.default)}`));
    else if (one.choices) control("parameters", one.name, one.label, "", select(one.choices, one.default));
    else control("parameters", one.name, one.label, `${one.least} to ${one.most}`, line({ inputmode: "numeric", value: one.default }));
  }
  for (const one of game.fields)
    control("fields", one.name, one.label, hintOf(one), line({ class: "code", inputmode: one.kind === "number" && "numeric", placeholder: one.default ?? null }));
  for (const name of game.published) control("published", name, name, "hash, optional", line({ class: "code" }));
  for (const name of game.beside) control("published", name, name, "optional", line({ class: "code" }));
  for (const group of ["parameters", "published"]) $(group).hidden = !$(group).querySelector(".field");
  $("chain").hidden = !game.chain;
  for (const id of ["chain-verdict", "chain-count", "rows-verdict", "verdicts"]) $(id).replaceChildren();
  $("rows-list").hidden = true;
  $("rows-help").textContent =
    `A line for each round, with ${[...game.fields.map((one) => spaced(one.label)), "outcome"].join(", ")}, or columns of these names below a first line of names. ` +
    "What no column has is taken from the form.";
  $("origin").textContent = `${game.name}, ${game.source}, made by provably_fair ${game.version}.`;
  update();
};

/** Return the values of the form: what is empty is left out, except for texts. */
const values = (group, own = bare()) => {
  const found = bare();
  for (const { name, input } of controls.filter((one) => one.group === group)) {
    const field = game.fields.find((one) => one.name === name);
    let value = own[name] ?? input.value;
    if (group === "fields" ? field.kind === "number" || field.hex : !game.beside.includes(name)) value = value.trim();
    if (value !== "" || group === "parameters" || (group === "fields" && field.kind !== "number" && !field.hex && !field.optional)) found[name] = value;
  }
  return found;
};

const roundOf = (own) => [bare(values("fields", own), values("published", own)), values("parameters", own)];

const played = (fields, parameters) => ({
  fields, parameters, facts: game.picture(parameters), ...game.play(fields, parameters), commitments: game.commitments(fields),
});

/** Take back a verdict on what was there before, and stop what goes on to one. */
const takeBack = (button, ...verdicts) => {
  if (running?.button === $(button)) running = null;
  for (const id of verdicts) $(id).replaceChildren();
};

const update = () => {
  takeBack("walk-chain", "chain-verdict");
  for (const one of controls) typed.set(one.name, one.input.value);
  const [fields, parameters] = roundOf();
  const problems = new Map(Object.entries(game.problems(fields, parameters)));
  for (const { name, input, error } of controls) {
    const problem = tried || input.value !== "" ? problems.get(name) ?? "" : "";
    error.textContent = upper(plain(problem));
    fill(input, { "aria-invalid": String(problem !== "") }, []);
  }
  const entered = controls.some((one) => one.group === "fields" && one.input.value !== "");
  let message = entered ? "The outcome appears here when all fields are right." : "Enter the round's seeds, and its outcome appears here.";
  shownRound = null;
  if (entered && !problems.size)
    try {
      shownRound = played(fields, parameters);
      message = "";
    } catch (error) {
      message = upper(plain(error.message));
    }
  show(message);
};

// ---- the outcome

/** Show no outcome where the form can't hold what it was given: a field's line breaks would be lost in silence. */
const showIfHeld = (given) => {
  const lost = controls.filter(({ name, input }) => given[name] !== undefined && given[name] !== input.value);
  if (!lost.length) return;
  shownRound = null;
  show(`A line break in the ${lost.map((one) => spaced(one.label)).join(" and the ")} can't be in this form: check the round as a row of CSV, in quotes.`);
};

const show = (message) => {
  $("message").textContent = message;
  for (const id of ["outcome", "picture", "remarks", "commitments", "walk", "copied"]) $(id).replaceChildren();
  for (const id of ["copy-json", "copy-link", "steps"]) $(id).hidden = !shownRound;
  $("copy-text").hidden = true;
  if (!shownRound) return;
  const { facts, outcome, fields, commitments } = shownRound;
  const words = inWords(facts, outcome);
  $("outcome").textContent = words;
  $("outcome").className = words.length > 24 ? "long" : "";
  $("picture").append(pictureOf(facts, outcome) ?? "");
  for (const field of game.fields) {
    const value = fields[field.name];
    if (value === "") $("remarks").append(make("li", {}, `The ${spaced(field.label)} is empty, and hashed so.`));
    else if (value !== value?.trim()) $("remarks").append(make("li", {}, `The ${spaced(field.label)} begins or ends with a blank, which is hashed too.`));
  }
  for (const one of commitments) $("commitments").append(commitment(one));
  if ($("steps").open) walk();
};

const commitment = ({ name, of, missing, hash, published, matches }) => {
  const what = of.map((name) => `the ${spaced(name)}`).join(" and ");
  if (hash === null) return make("div", { class: "match" }, `The ${spaced(name)} isn't checked: it is of ${what}, and ${missing.map(spaced).join(" and ")} isn't given.`);
  if (matches === null)
    return make("div", { class: "match" }, `The hash of ${what}, to compare with what was published before the round: `, make("code", {}, hash));
  const verdict = make("strong", {}, matches ? "It fits." : "It doesn't fit.");
  const are = of.length > 1 ? "are" : "is";
  if (matches) return make("div", { class: "match good" }, verdict, ` ${upper(what)} ${are} what was committed to before the round.`);
  const got = published.trim();
  const typo = /^[0-9a-f]*$/i.test(got) && got.length === hash.length ? "" : ` (which must be ${hash.length} hexadecimal digits, got ${plain(got)})`;
  return make("div", { class: "match bad" }, verdict, ` ${upper(what)} ${are} not what was published${typo}. The hash is `, make("code", {}, hash));
};

// ---- every step

const entries = (...pairs) =>
  make("dl", {}, ...pairs.flatMap(([name, value]) => [make("dt", {}, name), make("dd", {}, value)]));

/** Return a digest's words, with those that were drawn marked. */
const wordsOf = (digest, draws) => {
  const bits = new Set(draws.map((one) => one.bits));
  const used = new Map(draws.filter((one) => one.place !== null).map((one) => [one.place, one]));
  const size = [...bits][0] / 4;
  const all = bits.size === 1 && used.size === draws.length
    ? Array.from({ length: Math.floor(digest.digest.length / size) }, (_, place) => [place, digest.digest.slice(place * size, (place + 1) * size)])
    : draws.map((one) => [one.place, one.word]);
  return make("span", { class: "words" }, ...all.map(([place, word]) => make("code", { class: used.has(place) && "used" }, word)));
};

const walk = () => {
  const { digests, steps } = shownRound;
  const hashed = digests.map((one, index) => {
    const draws = steps.filter((step) => step.kind === "draw" && step.digest === index);
    const how = `${one.key === null ? "" : "HMAC-"}${one.algorithm.toUpperCase().replace("_", "-")}`;
    const where = [`cursor ${one.cursor}`, one.again && `${one.again} on`, one.label !== null && `label ${plain(one.label)}`].filter(Boolean);
    const code = (value) => make("code", {}, plain(value));
    return make("section", {}, make("h3", {}, `${how}, ${where.join(", ")}`), entries(
      ...(one.key === null ? [] : [["key", code(one.key)]]), ["message", code(one.message)],
      ["digest", code(one.digest)], ["words", wordsOf(one, draws)]));
  });
  let [part, within] = ["", 0];
  const lines = steps.map((step) => {
    if (step.kind === "part") {
      [part, within] = [step, 0];
      return null;
    }
    const inside = step.kind === "note" ? [`${step.formula} = ${Array.isArray(step.value) ? JSON.stringify(step.value) : step.value}`]
      : step.kind === "skip" ? [`${count(step.count, "number")} skipped, from number ${step.first}`] : drawn(step, digests, part && `${part.name} ${part.index + 1}, ${part.draws} ${++within}`);
    return make("li", {}, ...inside.map((words) => make("div", {}, plain(words))));
  });
  $("walk").replaceChildren(make("h3", {}, "What is hashed"), ...hashed, make("h3", {}, "From words to the outcome"),
    make("ol", { class: "draws" }, ...lines.filter(Boolean)), entries(["outcome", JSON.stringify(shownRound.outcome)]));
};

const drawn = ({ index, digest, place, bits, word, value, passed, factor, number, formula }, digests, purpose) => {
  const lines = [`draw ${index}${purpose && ` (${purpose})`}: ${place === null ? "all" : `word ${place}`} of cursor ${digests[digest].cursor}, ${word} = ${value}`];
  if (passed.length) lines.push(`passed over before it: ${passed.join(", ")}`);
  const rounded = bits <= 53 && number !== Number(value) / 2 ** bits ? ", rounded," : "";
  if (number !== null) lines.push(`number = ${bits <= 53 ? `${value} / 2^${bits}` : "the sum of its bytes"}${rounded} = ${number}`);
  if (factor !== null) lines.push(formula);
  return lines;
};

// ---- copies

const asJson = () => {
  const { fields, parameters, outcome, digests, steps, commitments } = shownRound;
  const setting = ({ name, choices, default: usual }) => {
    if (parameters[name] === undefined) return usual;
    return choices ? choices.find((one) => String(one) === parameters[name]) : Number(parameters[name]);
  };
  const all = Object.fromEntries(game.parameters.map((one) => [one.name, setting(one)]));
  const content = { game: game.name, version: game.version, parameters: all, fields, outcome, commitments, digests, steps };
  return JSON.stringify(content, (_, value) => (typeof value === "number" && !Number.isFinite(value) ? String(value) : value), 2);
};

const link = () => {
  const given = controls.filter((one) => one.input.value !== "").map((one) => [one.name, one.input.value]);
  return `${location.href.split("#")[0]}#${encodeURIComponent(game.name)}?${new URLSearchParams(given)}`;
};

const copy = async (text, what) => {
  try {
    await navigator.clipboard.writeText(text);
    $("copied").textContent = `${what} is copied.`;
  } catch {
    $("copy-text").hidden = false;
    $("copy-text").value = text;
    $("copy-text").select();
    $("copied").textContent = "This browser lets no page copy: the text is selected below.";
  }
};

/** Fill in what the address has behind #: a game's name, and its fields. */
const follow = () => {
  const [, name, query] = /^#([^?]*)\??(.*)$/s.exec(location.hash || "#");
  let wanted = name;
  try {
    wanted = decodeURIComponent(name);
  } catch {} // not written by this page: taken as it is
  if (!wanted) return choose(game);
  const found = GAMES.find((one) => one.name === wanted);
  if (!found) {
    choose(game);
    return show(`This page has no game named ${plain(wanted)}.`);
  }
  typed.clear();
  for (const [key, value] of new URLSearchParams(query)) typed.set(key, value);
  const unknown = [...typed.keys()].filter((key) => ![...found.fields, ...found.parameters].some((one) => one.name === key && !(one.fixed && String(one.default) !== typed.get(key))) && ![...found.published, ...found.beside].includes(key));
  const given = bare(Object.fromEntries(typed));
  choose(found);
  showIfHeld(given);
  if (unknown.length) $("remarks").append(make("li", {}, `The link has ${unknown.map(plain).join(", ")}, which this game doesn't take.`));
};

// ---- long work: in pieces, so that the page answers meanwhile

/** Do work piece by piece: `piece(size)` returns whether there is more; the button stops it. */
const inPieces = async (button, progress, piece) => {
  const token = (running = { button });
  const words = button.textContent;
  button.textContent = "Stop";
  progress.hidden = false;
  let size = 64;
  try {
    for (let more = true; more && running === token; await pause()) {
      const start = performance.now();
      more = piece(size);
      size = Math.ceil(size * Math.min(2, 20 / (performance.now() - start + 0.1)));
    }
  } finally {
    button.textContent = words;
    progress.hidden = true;
  }
  const whole = running === token;
  if (whole) running = null;
  return whole;
};

const verdict = (id, tone, strong, rest) => {
  $(id).className = `verdict ${tone}`;
  $(id).replaceChildren(make("strong", {}, strong), ` ${rest}`);
};

const problemIn = (id, problem) => {
  $(`${id}-error`).textContent = problem;
  fill($(id), { "aria-invalid": String(problem !== "") }, []);
  if (problem) $(id).focus();
  return problem !== "";
};

const walkChain = async () => {
  const { chain } = game;
  const start = (values("fields")[chain.field] ?? "").toLowerCase();
  const anchor = $("anchor").value.trim().toLowerCase();
  const most = Number($("limit").value.replace(/,/g, ""));
  const own = controls.find((one) => one.name === chain.field);
  const wrong = (hash) => (/[^0-9a-f]/.test(hash) ? `Must be hexadecimal digits, got “${plain(/[^0-9a-f]/.exec(hash)[0])}”`
    : hash.length === chain.digits ? "" : `Must be ${chain.digits} hexadecimal digits, got ${hash.length}`);
  $("chain-verdict").replaceChildren();
  if (wrong(start)) {
    own.error.textContent = wrong(start);
    return own.input.focus();
  }
  if (problemIn("anchor", wrong(anchor))) return;
  if (problemIn("limit", Number.isSafeInteger(most) && most > 0 ? "" : "Must be a whole number from 1")) return;
  let [steps, back, on, found] = [0, start, anchor, ""];
  const began = performance.now();
  const whole = await inPieces($("walk-chain"), $("chain-progress"), (size) => {
    const piece = Math.min(size, most - steps);
    const earlier = chain.walk(back, anchor, piece); // the published hash is of an earlier game ...
    const later = earlier.reached ? null : chain.walk(on, start, piece); // ... or of a later one
    if (earlier.reached || later.reached) {
      found = earlier.reached ? "earlier" : "later";
      steps += (later ?? earlier).steps;
      return false;
    }
    [steps, back, on] = [steps + piece, earlier.hash, later.hash];
    $("chain-progress").value = steps / most;
    $("chain-count").textContent = `${count(steps, "game")}, ${Math.round((steps / (performance.now() - began)) * 1000).toLocaleString("en")} a second`;
    return steps < most;
  });
  if (chain !== game.chain) return;
  $("chain-count").textContent = "";
  if (found === "earlier")
    verdict("chain-verdict", "good", "It is on the chain.", `This game's hash leads to the published one in ${count(steps, "step")}. If that is the terminating hash, this is game ${(chain.first + steps).toLocaleString("en")}.`);
  else if (found) verdict("chain-verdict", "good", "It is on the chain.", `The published hash is of a later game, and leads to this one in ${count(steps, "step")}.`);
  else if (!whole) verdict("chain-verdict", "open", "Stopped.", `Not found within ${count(steps, "game")}.`);
  else verdict("chain-verdict", "open", "Not found.", `Neither hash leads to the other within ${count(most, "game")}.`);
};

// ---- several rounds

/** Return the rows of a CSV text: commas, semicolons or tabs, and quotes. */
const rowsOf = (text) => {
  const content = `${text.replace(/^\ufeff/, "").replace(/\r\n/g, "\n")}\n`;
  const [first] = content.replace(/"(?:[^"]|"")*"/g, "").split("\n", 1);
  const mark = [",", ";", "\t"].sort((a, b) => first.split(b).length - first.split(a).length)[0];
  const cells = new RegExp(`(?: *"((?:[^"]|"")*)"|([^"${mark}\n][^${mark}\n]*)?)(${mark}|\n)`, "gy");
  const rows = [[]];
  let read = 0;
  for (const [whole, quoted, bare, end] of content.matchAll(cells)) {
    read += whole.length;
    rows[rows.length - 1].push(quoted === undefined ? bare ?? "" : quoted.replace(/""/g, '"'));
    if (end === "\n") rows.push([]);
  }
  if (read < content.length) throw new Error("A quote isn't closed, or text stands beside one.");
  return rows.filter((row) => row.some((cell) => cell.trim() !== ""));
};

/** Compare an outcome as it was written down; returns a verdict and its tone. */
const compared = (claimed, { outcome, facts }) => {
  const pairs = Object.entries(facts.names).map(([value, name]) => [name, Number(value)]);
  const names = new Map([...pairs.map(([name, value]) => [name.toLowerCase(), value]), ...pairs]); // as it is written first
  const valueOf = (word) => names.get(word) ?? names.get(word.toLowerCase());
  const whole = claimed.trim();
  const words = valueOf(whole) !== undefined ? [whole] : whole.split(/[\s,;|/[\]()]+/).filter(Boolean);
  let right = [outcome].flat(Infinity);
  const signs = Array.isArray(outcome) ? "" : facts.kind === "dice" && facts.unit > 1 ? "[x×%]?" : "[x×]?";
  const digits = new RegExp(`^-?\\d+(\\.\\d+)?(e[-+]?\\d+)?${signs}$`, "i");
  const given = words.map((word) => valueOf(word) ?? (digits.test(word) ? parseFloat(word) : NaN));
  if (facts.kind === "pegs" && facts.path && given.length === 1 && right.length > 1) right = [rightTurns(right)];
  if (given.some(Number.isNaN)) return ["open", `not compared: ${plain(claimed)} isn't read`];
  if (given.length !== right.length) return ["open", `not compared: the log has ${count(given.length, "value")}, the outcome ${right.length}`];
  const [ours, theirs] = game.ordered ? [right, given] : [ascending(right), ascending(given)];
  return ours.every((value, place) => value === theirs[place]) ? ["good", "agrees"] : ["bad", `differs: the log has ${plain(claimed.trim())}`];
};

/** Check a row: its cells by name, and what else the form has. Returns the tone, the verdict, and the outcome. */
const checkedRow = (own, form) => {
  const [fields, parameters] = roundOf(bare(form, own));
  const problems = Object.entries(game.problems(fields, parameters));
  if (problems.length) return ["open", problems.map(([name, problem]) => `${spaced(name)} ${plain(problem)}`).join("; "), ""];
  let round;
  try {
    round = played(fields, parameters);
  } catch (error) {
    return ["open", plain(error.message), ""];
  }
  const unfit = round.commitments.filter((one) => one.matches === false).map((one) => `${spaced(one.name)} doesn't fit`);
  const missing = game.published.filter((name) => own[name]?.trim() === "").map((name) => `no ${spaced(name)}`);
  for (const one of round.commitments) if (one.hash === null) missing.push(`${spaced(one.name)} not checked: no ${one.missing.map(spaced).join(", ")}`);
  const [tone, words] = own.outcome === undefined ? ["open", "not compared: no outcome"] : compared(own.outcome, round);
  const open = tone === "good" && missing.length ? "open" : tone;
  return [unfit.length ? "bad" : open, [words, ...unfit, ...missing].join("; "), inWords(round.facts, round.outcome)];
};

const checkRows = async () => {
  let rows = [];
  let problem = "";
  $("verdicts").replaceChildren();
  $("rows-verdict").replaceChildren();
  $("rows-list").hidden = true;
  try {
    rows = rowsOf($("csv").value);
  } catch (error) {
    problem = error.message;
  }
  const known = new Map([...controls.map((one) => one.name), "outcome"].map((name) => [name.toLowerCase(), name]));
  const heads = rows[0]?.map((one) => known.get(one.trim().toLowerCase().replace(/ /g, "_"))) ?? [];
  const titled = heads.some(Boolean);
  const columns = titled ? heads : [...game.fields.map((one) => one.name), "outcome"];
  const twice = columns.find((one, place) => one && columns.indexOf(one) !== place);
  const unread = titled ? rows.shift().filter((_, place) => !columns[place]).map(plain) : [];
  if (!problem && !rows.length) problem = "No round is here yet.";
  if (!problem && twice) problem = `Two columns are named ${spaced(twice)}.`;
  const given = (name) => columns.includes(name) || controls.some((one) => one.name === name && one.input.value !== "");
  const absent = game.fields.filter((one) => !one.optional && !given(one.name)).map((one) => spaced(one.name)); // not empty texts
  if (!problem && absent.length) problem = `No column is named ${absent.join(" or ")}, and the form has none.`;
  if (problemIn("csv", problem)) return;
  const form = Object.fromEntries(controls.map((one) => [one.name, one.input.value])); // as it is now
  const lacking = controls.filter((one) => !columns.includes(one.name) && form[one.name] !== "").map((one) => spaced(one.label));
  const counts = { good: 0, bad: 0, open: 0 };
  const of = game;
  let [done, left] = [0, 0];
  const whole = await inPieces($("check-rows"), $("rows-progress"), (size) => {
    for (const stop = Math.min(rows.length, done + size); done < stop; done++) {
      const row = rows[done];
      const own = bare(Object.fromEntries(row.map((cell, place) => [columns[place], cell]).filter(([name]) => name)));
      const extra = row.length === columns.length ? null : ["open", `${count(row.length, "value")} in place of ${columns.length}`, ""];
      const [tone, words, computed] = extra ?? checkedRow(own, form);
      counts[tone]++;
      if (tone === "good" ? counts.good > 100 : counts.bad + counts.open > 400) left++;
      else $("verdicts").append(listed(done + 1, tone, words, computed, own));
    }
    $("rows-progress").value = done / rows.length;
    return done < rows.length;
  });
  if (of !== game) return;
  const parts = [`${count(counts.good, "round agrees", "rounds agree")}, ${count(counts.bad, "is wrong", "are wrong")}, ${count(counts.open, "wasn't compared", "weren't compared")}.`];
  if (!whole) parts.push(`Stopped after ${count(done, "round")} of ${rows.length}.`);
  if (unread.length) parts.push(`Columns that weren't read: ${unread.join(", ")}.`);
  if (lacking.length) parts.push(`Taken from the form: ${lacking.join(", ")}.`);
  const unchecked = game.published.filter((name) => !columns.includes(name) && !form[name]?.trim()).map(spaced);
  if (unchecked.length) parts.push(`Not checked, for it isn't given: ${unchecked.join(", ")}.`);
  if (left) parts.push(`${count(left, "round")} of these not listed.`);
  const tone = counts.bad ? "bad" : counts.open || !whole ? "open" : "good";
  verdict("rows-verdict", tone, { bad: "Not all rounds are right.", open: "Not everything was checked.", good: "All rounds are right." }[tone], parts.join(" "));
  $("rows-list").hidden = false;
};

const listed = (place, tone, words, computed, own) => {
  const look = make("button", { type: "button", class: "small", "aria-label": `Show row ${place}` }, "Show");
  look.addEventListener("click", () => {
    for (const { name, input } of controls) if (own[name] !== undefined) input.value = own[name];
    update();
    showIfHeld(own);
    $("result-title").focus();
  });
  const sign = { good: "✓", bad: "✗", open: "?" }[tone];
  return make("tr", {}, make("td", {}, String(place)), make("td", { class: tone }, `${sign} ${words}`), make("td", {}, computed), make("td", {}, look));
};

// ---- what readers do

for (const operator of new Set(GAMES.map((one) => one.operator))) {
  const options = GAMES.flatMap((one, place) => (one.operator === operator ? [make("option", { value: place }, plain(one.name))] : []));
  $("game").append(...(operator ? [make("optgroup", { label: plain(operator) }, ...options)] : options));
}
$("choice").hidden = GAMES.length === 1;
$("left-out").hidden = !LEFT_OUT.length;
$("left-out-list").append(...LEFT_OUT.flatMap(([name, reason]) => [make("dt", {}, plain(name)), make("dd", {}, plain(reason))]));

$("game").addEventListener("change", () => {
  for (const one of game.parameters) typed.delete(one.name);
  choose(GAMES[$("game").value]);
});
$("round").addEventListener("input", (event) => event.target !== $("game") && update());
$("round").addEventListener("submit", (event) => {
  event.preventDefault();
  tried = true;
  update();
  (controls.find((one) => one.input.getAttribute("aria-invalid") === "true")?.input ?? $("result-title")).focus();
});
$("round").addEventListener("reset", (event) => {
  event.preventDefault();
  typed.clear();
  choose(game);
  controls.find((one) => one.group === "fields")?.input.focus();
});
$("example").addEventListener("click", () => {
  typed.clear();
  const own = EXAMPLES[GAMES.indexOf(game)] ?? Object.fromEntries(game.fields.map((one) => [one.name, exampleOf(one)]));
  for (const [name, value] of Object.entries(own)) typed.set(name, String(value));
  choose(game);
});
$("steps").addEventListener("toggle", () => $("steps").open && shownRound && walk());
$("copy-json").addEventListener("click", () => copy(asJson(), "The round"));
$("copy-link").addEventListener("click", () => {
  history.replaceState(null, "", link());
  copy(link(), "The link");
});
$("anchor").addEventListener("input", () => takeBack("walk-chain", "chain-verdict"));
$("csv").addEventListener("input", () => takeBack("check-rows", "rows-verdict"));
for (const [id, start] of [["walk-chain", walkChain], ["check-rows", checkRows]])
  $(id).addEventListener("click", () => (running?.button === $(id) ? (running = null) : start()));
addEventListener("hashchange", follow);
follow();
