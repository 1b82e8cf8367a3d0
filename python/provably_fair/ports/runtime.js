// What ports of games have in common. A port has those of these functions that it needs: none has a blank line
// inside, and each is told by the word behind `function`, `class` or `const`.

class FieldError extends Error {
  // A field that is wrong: `problem` says how, without its name.
  constructor(field, problem) {
    super(`${field} ${problem}`);
    this.field = field;
    this.problem = problem;
  }
}

// No more words: a digest is used up, and the scheme reads no other.
class UsedUpError extends FieldError {}

// ---- fields ----

const WHOLE = /^(0|[1-9][0-9]*)$/;

function checkObject(given) {
  if (given === null || typeof given !== "object") throw new TypeError(`fields must be an object, got ${given === null ? "null" : typeof given}`);
}

function fieldsOf(given, declared) {
  // The fields of a round, checked: texts, and whole numbers as BigInt.
  const fields = Object.create(null);
  for (const one of declared) {
    const value = given[one.name] === undefined || given[one.name] === null ? one.default : given[one.name];
    if (value === undefined) throw new FieldError(one.name, "is missing");
    fields[one.name] = one.kind === "text" || (one.kind === "any" && typeof value === "string")
      ? textOf(value, one)
      : wholeOf(value, one);
  }
  return fields;
}

function textOf(text, { name, hex, lower, whole }) {
  if (typeof text !== "string") throw new FieldError(name, `must be text, got ${typeof text}`);
  if (/[\ud800-\udfff]/u.test(text)) throw new FieldError(name, "must be text, got half of a character");
  if (whole && !WHOLE.test(text)) {
    throw new FieldError(name, "must be a whole number in decimal digits, without leading zeros");
  }
  if (hex === null) return text;
  const count = hex === true ? "" : `${hex} `;
  const wrong = text.search(/[^0-9a-fA-F]/);
  if (wrong >= 0) throw new FieldError(name, `must be ${count}hexadecimal digits, got \u201c${[...text.slice(wrong)][0]}\u201d`);
  if (hex !== true && text.length !== hex) {
    throw new FieldError(name, `must be ${count}hexadecimal digits, got ${text.length}`);
  }
  if (text.length % 2) throw new FieldError(name, `must be hexadecimal digits of whole bytes, got ${text.length}`);
  const capital = lower ? text.search(/[A-F]/) : -1;
  if (capital >= 0) throw new FieldError(name, `must be lower-case hexadecimal digits, got \u201c${text[capital]}\u201d`);
  return text;
}

function wholeOf(value, { name, most }) {
  const text = String(value);
  const isWhole = typeof value === "number" ? Number.isSafeInteger(value) : typeof value !== "object";
  if (!isWhole || !WHOLE.test(text)) throw new FieldError(name, `must be a whole number, got ${JSON.stringify(text)}`);
  if (BigInt(text) > BigInt(most)) throw new FieldError(name, `must be at most ${most}, got ${text}`);
  return BigInt(text);
}

// ---- messages ----

function bytes(...parts) {
  // Texts as UTF-8, whole numbers as their decimal digits, and bytes, one after another.
  return concatBytes(...parts.map((part) => (part instanceof Uint8Array ? part : utf8ToBytes(String(part)))));
}

function utf8(hex) {
  // The text that bytes encode, with U+FFFD for each invalid part.
  return new TextDecoder("utf-8", { ignoreBOM: true }).decode(hexToBytes(hex));
}

function padded(number, digits) {
  return String(number).padStart(digits, "0");
}

function littleEndian(number, size) {
  return bigEndian(number, size).reverse();
}

function bigEndian(number, size) {
  return hexToBytes(BigInt(number).toString(16).padStart(2 * size, "0"));
}

const STRICT = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

function shown(message) {
  // Bytes as text if they are UTF-8, otherwise as hexadecimal digits.
  try {
    return STRICT.decode(message);
  } catch {
    return `0x${bytesToHex(message)}`;
  }
}

function commitmentsOf(given, hashes) {
  // The hashes that were published before the round, each compared with what was published, if that is given; one
  // that was published, but can't be computed of these fields, is null.
  checkObject(given);
  const known = (name) => given[name] !== undefined && given[name] !== null;
  return hashes
    .map(({ name, fields, hashed }) => {
      const missing = fields.filter((field) => !known(field.name) && field.default === undefined).map((field) => field.name);
      const hash = missing.length ? null : bytesToHex(hashed(fieldsOf(given, fields)).digest);
      const published = known(name) ? String(given[name]) : null;
      const matches = published === null || hash === null ? null : published.trim().toLowerCase().replace(/^0x/, "") === hash;
      return { name, of: fields.map((field) => field.name), missing, hash, published, matches };
    })
    .filter(({ hash, published }) => hash !== null || published !== null);
}

// ---- words ----

function fraction(word, bits) {
  return Number(word) / 2 ** bits;
}

function sumOfBytes(word) {
  // b1/256 + b2/256^2 + ... + b8/256^8 in doubles, below 1.
  let sum = 0;
  for (let place = 1n; place <= 8n; place += 1n) {
    sum += Number((word >> (64n - 8n * place)) & 255n) / Number(256n ** place);
  }
  return Math.min(sum, 1 - 2 ** -53);
}

function scaled(word, n, bits) {
  return Math.floor(fraction(word, bits) * n);
}

function scaledSum(word, n) {
  return Math.floor(sumOfBytes(word) * n);
}

function modulo(word, n) {
  return Number(word % BigInt(n));
}

function multiplied(word, n, bits) {
  return Number((word * BigInt(n)) >> BigInt(bits));
}

function lastTwoDigits(word) {
  return Number(word % 100n);
}

function nearestOf(word, n, bits) {
  return Math.round(Number(word) / ((2 ** bits - 1) / (n - 1)));
}

function digestModulo(digest, n) {
  return Number(BigInt(`0x${bytesToHex(digest)}`) % BigInt(n));
}

function doubleModulo(digest, n) {
  // The digest as JavaScript's parseInt reads it: the nearest double.
  return Number(BigInt(Number(BigInt(`0x${bytesToHex(digest)}`))) % BigInt(n));
}

function isAbove(word, n, bits) {
  // Whether a word isn't below the largest multiple of n.
  const all = 1n << BigInt(bits);
  return word >= all - (all % BigInt(n));
}

function isAboveLast(word, n, bits) {
  // The same for the largest multiple of n that is a word itself.
  const largest = (1n << BigInt(bits)) - 1n;
  return word >= largest - (largest % BigInt(n));
}

function isAboveDigits(word, n) {
  return Number(word % 100n) >= n;
}

function bytesBelow(n) {
  // How many bytes a draw below n takes.
  let count = 1;
  while (256 ** count < n) count += 1;
  return count;
}

class Draws {
  // The draws of a round, made of the words of its digests; `steps` has what was drawn, `digests` what was hashed.
  constructor(scheme, fields, digests) {
    Object.assign(this, { scheme, fields, given: digests, digests: [], places: new Map(), steps: [], drawn: 0, labels: new Map() });
    this.begin(scheme.label);
  }
  label(name) {
    // Where the label is hashed, the following draws have words of their own.
    if (this.scheme.hasLabel) this.begin(name);
  }
  begin(name) {
    // Goes on where a label was.
    this.named = name;
    if (!this.labels.has(name)) this.labels.set(name, { place: 0 });
    this.reader = this.labels.get(name);
  }
  digest(cursor, again) {
    // A digest, by its cursor and how many times it is hashed again.
    const { named: label } = this;
    if (this.scheme.hasLabel && label === null) throw new FieldError("label", "is missing: the scheme hashes one");
    const known = `${cursor} ${again} ${label}`;
    let index = this.places.get(known);
    if (index === undefined) {
      const from = again ? this.digests[this.digest(cursor, again - 1)].digest : null;
      const made = this.given
        ? { algorithm: this.scheme.algorithm, key: null, message: bytes(), digest: this.begun() }
        : again
          ? this.scheme.hashedAgain({ ...this.fields, digest: bytesToHex(from) }, cursor, label)
          : this.scheme.hashed(this.fields, cursor, label);
      index = this.digests.push(Object.assign(made, { cursor, again, label })) - 1;
      this.places.set(known, index);
    }
    return index;
  }
  begun() {
    // The next digest of a round that begins at its digests.
    if (this.digests.length >= this.given.length) throw this.usedUp("needs more digests");
    return hexToBytes(this.given[this.digests.length]);
  }
  usedUp(problem) {
    return new UsedUpError(this.scheme.last, problem);
  }
  at(number) {
    // The digest whose words are read as number `number`, from 0.
    const { hasCursor, firstCursor, lastCursor, hashedAgain } = this.scheme;
    if (!hasCursor && hashedAgain) return this.digest(0, number);
    if (hasCursor ? firstCursor + number > lastCursor : number) throw this.usedUp("has no further words");
    return this.digest(hasCursor ? firstCursor + number : 0, 0);
  }
  cut(index, place) {
    // A word of a digest, in bits from the front.
    const { bits } = this.scheme;
    const { digest } = this.digests[index];
    const first = (place * bits) >> 3;
    const end = (place * bits + bits + 7) >> 3;
    if (end > digest.length) throw this.usedUp("has no further words");
    const wide = BigInt(`0x${bytesToHex(digest.subarray(first, end))}`);
    return (wide >> BigInt(8 * end - place * bits - bits)) & ((1n << BigInt(bits)) - 1n);
  }
  word(count) {
    // The next words, joined into one.
    const { bits, words } = this.scheme;
    const read = { passed: [], bits: bits * count, value: 0n };
    for (let left = count; left > 0; left -= 1) {
      read.digest = this.at(Math.floor(this.reader.place / words));
      read.place = this.reader.place % words;
      read.value = (read.value << BigInt(bits)) | this.cut(read.digest, read.place);
      this.reader.place += 1;
    }
    return read;
  }
  accepted(n) {
    // The next word that isn't passed over: in its digest, or where the scheme reads on.
    const { bits, words, passes, bytesOf, isStream } = this.scheme;
    if (bytesOf) {
      const passed = [];
      for (;;) {
        const read = this.word(bytesOf(n));
        if (!passes(read.value, n, read.bits)) return { ...read, passed };
        passed.push(read.value);
        if (passed.length > 65536) throw this.usedUp(`has no word for one of ${n}`);
      }
    }
    const start = Math.floor(this.reader.place / words);
    let first = this.reader.place % words;
    let digest = this.at(start);
    const passed = [];
    for (let digests = 0; digests < 65536; digests += 1) {
      const available = Math.floor((8 * this.digests[digest].digest.length) / bits);
      if (first >= available) throw this.usedUp("has no further words");
      for (let place = first; place < available; place += 1) {
        const value = this.cut(digest, place);
        if (!passes(value, n, bits)) {
          const goesOn = digests === 0 || isStream;
          const number = start + (isStream ? digests : 0);
          this.reader.place = number * words + (goesOn ? Math.min(place + 1, words) : words);
          return { digest, place, bits, value, passed };
        }
        passed.push(value);
      }
      // Its words were read, and none is left.
      this.reader.place = (start + (isStream ? digests : 0) + 1) * words;
      digest = isStream ? this.at(start + digests + 1) : this.after(start, digests + 1, n);
      first = 0;
    }
    throw this.usedUp(`has no word for one of ${n}`);
  }
  after(start, digests, n) {
    // The digest to read when those before it have no acceptable word.
    const { hasCursor, firstCursor, lastCursor, cursors, hashedAgain } = this.scheme;
    const cursor = hasCursor ? firstCursor + start : 0;
    if (hashedAgain) return this.digest(cursor, digests + (hasCursor ? 0 : start));
    if (!cursors || cursor + cursors * digests > lastCursor) throw this.usedUp(`has no word for one of ${n}`);
    return this.digest(cursor + cursors * digests, 0);
  }
  below(n) {
    // One of 0 ... n - 1.
    const { below, passes, bytesOf, whole, scales, most } = this.scheme;
    if (!(n >= 1 && n <= most)) throw new RangeError(`a draw must be below 1 to ${most}, got ${n}`);
    const read = passes ? this.accepted(n) : this.word(bytesOf ? bytesOf(n) : 1);
    const { digest } = this.digests[read.digest];
    const result = whole ? below(digest, n) : below(read.value, n, read.bits);
    if (whole) Object.assign(read, { place: null, bits: 8 * digest.length, value: BigInt(`0x${bytesToHex(digest)}`) });
    return this.record(read, n, scales ? scales(read.value, read.bits) : null, result);
  }
  number() {
    // A number from 0, below 1.
    const { number, digits, bytesOf } = this.scheme;
    const read = this.word(bytesOf ? 7 : 1);
    // Seven bytes have four bits more than a number.
    const exact = bytesOf ? Number(read.value >> 4n) / 2 ** 52 : number(read.value, read.bits);
    const result = digits ? Number(exact.toPrecision(digits)) : exact;
    return this.record(read, null, result, result);
  }
  record({ digest, place, bits, value, passed }, factor, number, result) {
    this.steps.push({ kind: "draw", index: this.drawn, digest, place, bits, value, passed, factor, number, result });
    this.drawn += 1;
    return result;
  }
  skip(count) {
    // Passes over numbers.
    if (!count) return;
    this.steps.push({ kind: "skip", first: this.drawn, count });
    this.reader.place += count;
    this.drawn += count;
  }
  note(formula, value) {
    this.steps.push({ kind: "note", formula, value: typeof value === "string" ? value : plain(value) });
  }
  part(name, index, draws = "draw") {
    this.steps.push({ kind: "part", name, index, draws });
  }
}

function drawsOf(scheme, given, declared) {
  // The draws of a round, which may begin at its digests.
  checkObject(given);
  const begun = Array.isArray(given.digests) ? given.digests : null;
  return new Draws(scheme, begun ? {} : fieldsOf(given, declared), begun);
}

function played(rule, scheme, given, declared) {
  // The outcome of a round, with what was hashed and drawn for it.
  const draws = drawsOf(scheme, given, declared);
  const outcome = plain(rule(draws));
  const digests = draws.digests.map((one) => ({
    ...one,
    key: one.key === null ? null : shown(one.key),
    message: shown(one.message),
    digest: bytesToHex(one.digest),
  }));
  return { outcome, digests, steps: draws.steps.map((step) => (step.kind === "draw" ? worked(step, scheme.rule) : step)) };
}

const FORMULAS = {
  scale: ({ number, factor }) => `floor(${number} * ${factor})`,
  multiply: ({ value, factor, bits }) => `floor(${value} * ${factor} / 2^${bits})`,
  nearest: ({ value, factor, bits }) => `round(${value} / (${2 ** bits - 1} / ${factor - 1}))`,
  double: ({ value, factor }) => `${BigInt(Number(value))} mod ${factor}`,
  decimal: ({ value }) => `${value} mod 100`,
};

function worked(step, rule) {
  // A draw as it is shown: its word, in hexadecimal and in decimal digits, and how the answer follows from it.
  const { kind, index, digest, place, bits, value, passed, factor, number, result } = step;
  const text = String(value);
  const worded = FORMULAS[rule] ? FORMULAS[rule](step) : `${text} mod ${factor}`;
  const formula = `${factor === null ? "number" : worded} = ${result}`;
  const word = value.toString(16).padStart(Math.ceil(bits / 4), "0");
  return { kind, index, digest, place, bits, word, value: text, passed: passed.map(String), factor, number, result, formula };
}

// ---- games of a page ----

function parameterOf(given, { name, default: usual, least, most, choices, fixed }) {
  // A parameter of a round, checked: the game's own if none is given.
  const value = given[name];
  if (fixed || value === undefined) return usual;
  if (choices) {
    const known = choices.find((one) => String(one) === String(value));
    if (known === undefined) throw new FieldError(name, `must be one of ${choices.join(", ")}, got ${value}`);
    return known;
  }
  const whole = WHOLE.test(String(value).replace("-", "")) ? Number(value) : NaN;
  if (!(whole >= least && whole <= most)) {
    throw new FieldError(name, `must be a whole number from ${least} to ${most}, got ${value}`);
  }
  return whole;
}

function keyOf(...values) {
  // The key of a setting in tables: another one for each setting, whatever its texts are.
  return values.map((one) => String(one).replace(/[\\|]/g, "\\$&")).join("|");
}

function parametersOf(given, declared, refused, key) {
  const p = Object.fromEntries(declared.map((one) => [one.name, parameterOf(given, one)]));
  const why = refused.get(key(p));
  if (why !== undefined) throw new FieldError(declared[declared.length - 1].name, `doesn't go with the others: ${why}`);
  return p;
}

function problemsOf(checks) {
  // What is wrong with fields, by their names.
  const found = {};
  for (const check of checks) {
    try {
      check();
    } catch (error) {
      if (!(error instanceof FieldError)) throw error;
      found[error.field] = error.problem;
    }
  }
  return found;
}

function entry({ scheme, hashes, rule, facts, refused, key, chain, ...game }) {
  // A game of a page, with what can be done with it.
  const settled = (given = {}) => parametersOf(given, game.parameters, refused, key);
  return {
    ...game,
    beside: [...new Set(hashes.flatMap(({ fields }) => fields.map((one) => one.name)))]
      .filter((name) => ![...game.fields.map((one) => one.name), ...game.published].includes(name)),
    chain: chain && { ...chain, walk: (hash, anchor, most) => walked(chain.previous, hash, anchor, most) },
    play: (given, parameters) => played(rule(settled(parameters)), scheme, given, game.fields),
    problems: (given, parameters = {}) =>
      problemsOf([
        () => settled(parameters),
        ...game.fields.map((one) => () => fieldsOf(given, [one])),
        ...game.parameters.map((one) => () => parameterOf(parameters, one)),
      ]),
    commitments: (given) => commitmentsOf(given, hashes),
    picture: (parameters) => {
      const { names = [], ...found } = facts(settled(parameters));
      return { ...found, names: Object.fromEntries(names) };
    },
  };
}

// ---- draws of several ----

function times(count, draw) {
  // What is drawn so many times, one after another.
  return Array.from({ length: count }, (_, place) => draw(place));
}

function weighted(draws, weights) {
  // A place, as often as its weight says.
  const ends = running(weights, (x, y) => x + y);
  const drawn = draws.below(ends[ends.length - 1]);
  return ends.findIndex((end) => drawn < end);
}

function sample(draws, n, k) {
  // k of 0 ... n - 1: each is taken out of what is left, which closes up.
  const left = Array.from({ length: n }, (_, element) => element);
  return times(k, () => {
    const size = left.length;
    const [element] = left.splice(draws.below(size), 1);
    draws.note(`which of the ${size} left`, element);
    return element;
  });
}

function shuffle(draws, n, k) {
  // The first k of a permutation; uses n - 1 numbers, whatever k is.
  const taken = sample(draws, n, Math.min(k, n - 1));
  draws.skip(n - 1 - taken.length);
  const left = k < n ? [] : Array.from({ length: n }, (_, element) => element).filter((one) => !taken.includes(one));
  return [...taken, ...left];
}

function distinct(draws, n, k) {
  // The first k different ones of what is drawn; -1 for those that are missing when the words are used up.
  const taken = [];
  const passed = [];
  for (let repeats = 0; taken.length < k; ) {
    let value;
    try {
      value = draws.below(n);
    } catch (error) {
      if (error instanceof UsedUpError) break;
      throw error;
    }
    const step = draws.steps[draws.steps.length - 1];
    if (taken.includes(value)) {
      repeats += 1;
      if (repeats > 65536) throw new RangeError(`the same ones of ${n} are drawn again and again`);
      passed.push(...step.passed, step.value);
      draws.steps.pop();
      draws.drawn -= 1;
    } else {
      step.passed.unshift(...passed.splice(0));
      taken.push(value);
    }
  }
  return [...taken, ...Array(k - taken.length).fill(-1)];
}

function swaps(draws, n) {
  // A permutation by swaps from the last place down (Fisher and Yates, Durstenfeld).
  const order = Array.from({ length: n }, (_, element) => element);
  for (let place = n - 1; place > 0; place -= 1) {
    const other = draws.below(place + 1);
    [order[place], order[other]] = [order[other], order[place]];
  }
  return order;
}

function exchange(n, places, by) {
  // A permutation by swaps of places with others that were drawn before.
  const order = Array.from({ length: n }, (_, element) => element);
  places.forEach((place, turn) => {
    [order[place], order[by[turn]]] = [order[by[turn]], order[place]];
  });
  return order;
}

// ---- arrays ----

function map(f, ...values) {
  // A function of each element of arrays; numbers, and arrays of one, stand for as many as the others have.
  const lengths = values.filter(Array.isArray).map((one) => one.length);
  if (!lengths.length) return f(...values);
  const pick = (one, place) => (!Array.isArray(one) ? one : one.length === 1 ? one[0] : one[place]);
  return times(Math.max(...lengths), (place) => map(f, ...values.map((one) => pick(one, place))));
}

function along(values, axis, f) {
  // A function of the values along an axis.
  if (axis > 0) return values.map((one) => along(one, axis - 1, f));
  return map((...column) => f(column), ...values);
}

function alongRows(values, f) {
  // A function of the values along the last axis that returns as many.
  return Array.isArray(values[0]) ? values.map((one) => alongRows(one, f)) : f(values);
}

function kept(values, axis) {
  // An array with one more axis, of length 1.
  return axis > 0 ? values.map((one) => kept(one, axis - 1)) : [values];
}

function moved(values, places, shape) {
  // The values at places, in the order of rows, in a shape.
  const flat = [values].flat(Infinity);
  const found = places === null ? flat : places.map((place) => flat[place]);
  return shape.length ? shaped(found, shape) : found[0];
}

function shaped(flat, [size, ...rest]) {
  const each = flat.length / size;
  return rest.length ? times(size, (place) => shaped(flat.slice(place * each, (place + 1) * each), rest)) : flat;
}

function at(table, place) {
  // An entry of a table; negative places count from its end.
  const found = table[place < 0 ? table.length + place : place];
  if (found === undefined) throw new RangeError(`a table of ${table.length} has no place ${place}`);
  return found;
}

function takeAlong(values, places, axis) {
  // The values at drawn places along an axis; other axes of length 1 are as long as those of the other array.
  if (axis === 0) return places.map((one) => map((place, ...column) => at(column, place), one, ...values));
  const pick = (array, place) => array[array.length === 1 ? 0 : place];
  const length = Math.max(values.length, places.length);
  return times(length, (place) => takeAlong(pick(values, place), pick(places, place), axis - 1));
}

function searchsorted(table, value, right) {
  // How many entries of a sorted table are less than a value, or equal to it, too; NaN is above all.
  return table.filter((one) => !(right ? one > value : one >= value)).length;
}

function sum(values) {
  return values.reduce((total, one) => total + one, 0);
}

function first(values, end) {
  // The first place of the least or the largest value; NaN is both.
  return values.findIndex((one) => Number(one) === end || Number.isNaN(one));
}

function product(values) {
  return values.reduce((total, one) => total * one, 1);
}

function running(values, f) {
  // What is made of the values so far, at each place.
  const found = [];
  for (const one of values) found.push(found.length ? f(found[found.length - 1], one) : one);
  return found;
}

function sorted(values) {
  return [...Float64Array.from(values).sort()]; // NaN last
}

function argsort(values) {
  // The places of values in increasing order; numpy leaves open in which order equal ones are.
  if (new Set(values).size < values.length) throw new RangeError("two values are equal: nothing tells their order");
  return values.map((_, place) => place).sort((one, other) => values[one] - values[other]);
}

// ---- numbers ----

function rint(x) {
  // The nearest whole number, of two the even one; -0 above -0.5.
  if (x < 0) return -rint(-x);
  const low = Math.floor(x);
  if (x - low === 0.5) return low % 2 ? low + 1 : low;
  return x - low < 0.5 ? low : low + 1;
}

function remainder(x, y) {
  // The remainder with the sign of y, as numpy has it, that of 0 too.
  const left = x % y;
  if (left === 0) return y < 0 ? -0 : 0;
  return left && left < 0 !== y < 0 ? left + y : left;
}

function quotient(x, y) {
  // x / y rounded down, for whole numbers.
  return (x - remainder(x, y)) / y + 0;
}

function bigRemainder(x, y) {
  const left = x % y;
  return left && left < 0n !== y < 0n ? left + y : left;
}

function bigQuotient(x, y) {
  return (x - bigRemainder(x, y)) / y;
}

function floorDivide(x, y) {
  // x / y rounded down, for doubles, each operation as numpy has it.
  if (!y) return x / y;
  const left = x % y;
  const whole = (x - left) / y - (left && left < 0 !== y < 0 ? 1 : 0);
  if (whole === 0) return (x / y) * 0;
  const low = Math.floor(whole);
  return whole - low > 0.5 ? low + 1 : low;
}

function plain(value) {
  // A result for its reader: -0 is 0, true is 1.
  return Array.isArray(value) ? value.map(plain) : Number(value) + 0;
}

// ---- chains ----

function walked(previous, hash, anchor, most) {
  // Up to `most` steps from a hash toward an anchor: how many they were, and where they led.
  const end = anchor.trim().toLowerCase();
  let steps = 0;
  while (hash !== end && steps < most) {
    hash = previous(hash);
    steps += 1;
  }
  return { steps, reached: hash === end, hash };
}
