// Pictures of outcomes, by the kind of game. No picture relies on color alone, and each has its words as a label.

const MOST_TILES = 420;

const fill = (node, facts, inside) => {
  for (const [name, value] of Object.entries(facts)) if (value !== null && value !== false) node.setAttribute(name, value);
  node.append(...inside);
  return node;
};
const make = (tag, facts = {}, ...inside) => fill(document.createElement(tag), facts, inside);
const draw = (tag, facts = {}, ...inside) => fill(document.createElementNS("http://www.w3.org/2000/svg", tag), facts, inside);

// What control characters, and those that reorder a line, would hide is shown as its number.
const plain = (text) =>
  String(text).replace(/[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Cn}\p{Zl}\p{Zp}]/gu, (one) => `\\u{${one.codePointAt(0).toString(16)}}`);
const count = (n, one, many = one + "s") => `${n.toLocaleString("en")} ${n === 1 ? one : many}`;

const named = (facts, value) => (facts.names[value] === undefined ? number(facts, value) : plain(facts.names[value]));
const number = ({ kind, unit }, value) => {
  if (kind === "dice" && unit > 1) return value.toFixed(Math.round(Math.log10(unit)));
  return kind === "multiplier" && Math.round(value * 100) / 100 === value ? value.toFixed(2) : String(value);
};
const ascending = (values) => [...values].sort((a, b) => a - b);
const rightTurns = (path) => path.reduce((sum, turn) => sum + turn, 0);

/** Say an outcome in words. */
const inWords = (facts, outcome) => {
  const values = [outcome].flat(Infinity);
  const list = (all) => all.map((value) => named(facts, value)).join(", ");
  if (facts.kind === "board") return `${values.length === 1 ? "Mine in cell" : "Mines in cells"} ${list(ascending(values))}`;
  if (facts.kind === "sample") return list(ascending(values));
  if (facts.kind === "cards") return list(values.filter((card) => card >= 0));
  if (facts.kind === "multiplier" && !facts.shape.length) return `${named(facts, outcome)}×`;
  if (facts.kind === "pegs" && facts.path) return `Bucket ${rightTurns(values)}: right ${count(rightTurns(values), "time")} of ${values.length}`;
  if (facts.kind === "pegs") return `${values.length === 1 ? "Bucket" : "Buckets"} ${list(values)}`;
  if (facts.kind === "tower")
    return `${facts.safe ? "Safe" : "Mines"}, from the first row: ${outcome.map((row) => list(ascending([row].flat()))).join(" / ")}`;
  return list(values);
};

const svg = (width, height, ...inside) =>
  draw("svg", { viewBox: `0 0 ${width} ${height}`, width, height, role: "img" }, ...inside);
const text = (x, y, words, look = "", size = 15) =>
  draw("text", { x, y, class: look || null, "font-size": Math.min(size, 64 / Math.max(1, words.length)) }, words);

const divided = (n) => {
  let rows = Math.floor(Math.sqrt(n));
  while (n % rows) rows--;
  return Math.min(n / rows, 10);
};

/** Draw tiles in rows: each has its text, and a look, "hit" or "main", if it stands out. */
const tiles = (list, columns) => {
  const side = 52;
  const rows = Math.ceil(list.length / columns);
  const drawn = list.map(({ words, look = "" }, place) => {
    const x = (place % columns) * side + 2;
    const y = Math.floor(place / columns) * side + 2;
    const ring = look && draw("circle", { cx: x + 40, cy: y + 8, r: 3, class: look === "hit" ? "dot" : "dot-main" });
    return draw("g", {}, draw("rect", { x, y, width: 48, height: 48, rx: 8, class: look || "tile" }), ring,
      text(x + 24, y + 25, words, look && (look === "hit" ? "on" : "on-main")));
  });
  return svg(columns * side, rows * side, ...drawn);
};

const cards = (names) => {
  const columns = Math.min(names.length, 10);
  return svg(columns * 54, Math.ceil(names.length / columns) * 74, ...names.map((name, place) => {
    const x = (place % columns) * 54 + 3;
    const y = Math.floor(place / columns) * 74 + 3;
    return draw("g", {}, draw("rect", { x, y, width: 48, height: 67, rx: 6, class: "card-face" }),
      text(x + 24, y + 34, name, /[♥♦]/.test(name) ? "red" : "black", 18));
  }));
};

/** Draw a line with a mark, at a place from 0 to 1, and labeled ticks. */
const scale = (place, ticks) => {
  const at = (share) => 24 + 432 * Math.min(1, Math.max(0, share));
  return svg(480, 64,
    draw("path", { class: "line", d: "M24,22H456" }), draw("path", { class: "path", d: `M24,22H${at(place)}` }),
    ...ticks.flatMap(([share, words]) => [draw("path", { class: "line", d: `M${at(share)},18v8` }), text(at(share), 46, words, "", 13)]),
    draw("circle", { cx: at(place), cy: 22, r: 9, class: "main" }), draw("circle", { cx: at(place), cy: 22, r: 3, class: "dot-main" }));
};

const wheel = (facts, outcome) => {
  const [middle, outer, inner] = [150, 140, 78];
  const point = (turn, radius) => `${(middle + radius * Math.sin(turn)).toFixed(2)},${(middle - radius * Math.cos(turn)).toFixed(2)}`;
  const each = (2 * Math.PI) / facts.sectors;
  const drawn = Array.from({ length: facts.sectors }, (_, sector) => {
    const turn = (sector - outcome) * each; // the sector of the outcome stands below the pointer
    const [from, to, hit] = [turn - each / 2, turn + each / 2, sector === outcome];
    const wide = each > Math.PI ? 1 : 0;
    const shape = `M${point(from, outer)}A${outer},${outer},0,${wide},1,${point(to, outer)}L${point(to, inner)}A${inner},${inner},0,${wide},0,${point(from, inner)}Z`;
    const [x, y] = point(turn, outer - 16).split(",");
    const words = hit || facts.sectors <= 60 ? [text(x, y, String(sector), hit ? "on" : "", facts.sectors > 30 ? 9 : 13)] : [];
    return draw("g", {}, draw("path", { d: shape, class: hit ? "hit" : `tile sector` }), ...words);
  });
  return svg(300, 308, draw("g", { transform: "translate(0 8)" }, ...drawn, text(150, 150, named(facts, outcome), "strong", 34)),
    draw("path", { class: "main", d: "M141,0h18l-9,15z" }));
};

const pins = (facts, path) => {
  const [step, rows] = [28, facts.rows];
  const [middle, bottom] = [((rows + 1) * step) / 2 + 2, rows * 24 + 26];
  const at = (row, rights) => [middle + (rights - row / 2) * step, row * 24 + 12];
  const pegs = Array.from({ length: rows }, (_, row) => Array.from({ length: row + 1 }, (_, k) => {
    const [cx, cy] = at(row, k);
    return draw("circle", { cx, cy: cy + 6, r: 3, class: "peg" });
  }));
  let rights = 0;
  const way = [at(0, 0), ...path.map((turn, row) => at(row + 1, (rights += turn)))];
  const [x, y] = way[way.length - 1];
  return svg(middle * 2, bottom + 34, ...pegs.flat(), draw("path", { class: "path", d: `M${way.join("L")}` }),
    draw("circle", { cx: x, cy: y, r: 8, class: "main" }), ...Array.from({ length: rows + 1 }, (_, k) => {
      const left = middle + (k - rows / 2) * step;
      return draw("g", {}, draw("rect", { x: left - 12, y: bottom, width: 24, height: 28, rx: 5, class: k === rights ? "hit" : "tile" }),
        text(left, bottom + 14.5, String(k), k === rights && "on", 12));
    }));
};

const PICTURES = {
  board: ({ cells, first }, outcome) =>
    tiles(Array.from({ length: cells }, (_, cell) => ({ words: String(cell + first), look: outcome.includes(cell + first) ? "hit" : "" })), divided(cells)),
  sample: ({ size, first }, outcome) =>
    tiles(Array.from({ length: size }, (_, one) => ({ words: String(one + first), look: outcome.includes(one + first) ? "main" : "" })), divided(size)),
  dice: (facts, outcome) => {
    const ticks = [0, 0.25, 0.5, 0.75, 1].map((share) => [share, String(Math.round(facts.least + share * (facts.most - facts.least)) / facts.unit)]);
    return scale((outcome * facts.unit - facts.least) / (facts.most - facts.least), ticks);
  },
  multiplier: (facts, outcome) => {
    if (facts.table) return tiles(facts.table.map((value) => ({ words: named(facts, value), look: value === outcome ? "main" : "" })), divided(facts.table.length));
    const tens = Math.max(2, Math.ceil(Math.log10(outcome)));
    const ticks = Array.from({ length: tens + 1 }, (_, power) => [power / tens, power > 5 ? `10^${power}` : `${(10 ** power).toLocaleString("en")}×`]);
    return scale(Math.log10(Math.max(1, outcome)) / tens, ticks);
  },
  wheel,
  pegs: (facts, outcome) => {
    if (facts.path) return pins(facts, outcome);
    const fallen = (k) => [outcome].flat().filter((bucket) => bucket === k).length;
    return tiles(Array.from({ length: facts.rows + 1 }, (_, k) => ({ words: fallen(k) > 1 ? `${k}: ${fallen(k)}` : String(k), look: fallen(k) ? "hit" : "" })), facts.rows + 1);
  },
  tower: (facts, outcome) => {
    const rows = outcome.map((row) => [row].flat()).reverse(); // the first row is at the bottom
    const look = facts.safe ? "main" : "hit";
    return tiles(rows.flatMap((row) => Array.from({ length: facts.positions }, (_, one) => ({ words: String(one), look: row.includes(one) ? look : "" }))), facts.positions);
  },
};

/** Draw an outcome; null where it has too many values for a picture. */
const pictureOf = (facts, outcome) => {
  const rows = Array.isArray(outcome) ? outcome : [outcome];
  const values = rows.flat(Infinity);
  const size = Math.max(values.length, facts.cells ?? 0, facts.size ?? 0, facts.sectors ?? 0, (facts.rows ?? 0) * (facts.positions ?? facts.rows ?? 0));
  if (size > MOST_TILES || !values.every(Number.isFinite)) return null;
  const names = values.map((value) => (value < 0 && facts.kind === "cards" ? "–" : named(facts, value)));
  const picture = names.some((name) => /[♠♥♦♣]$/.test(name)) ? cards(names)
    : PICTURES[facts.kind] && ["dice", "multiplier", "wheel"].includes(facts.kind) !== Array.isArray(outcome) ? PICTURES[facts.kind](facts, outcome)
    : tiles(names.map((words) => ({ words })), Array.isArray(rows[0]) ? rows[0].length : Math.min(10, names.length));
  picture.setAttribute("aria-label", inWords(facts, outcome));
  return picture;
};
