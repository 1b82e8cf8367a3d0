// Makes what node says of numbers cut from digests: `node tests/tools/make_javascript_cuts.js`.
//
// Digests are the SHA-256 of "0", "1", ... Of each cut the results of all, as doubles one after the other
// (little-endian), are hashed, and the first few are kept as they are.
const crypto = require("crypto");
const fs = require("fs");
const path = require("path");

const COUNT = 1e6;
const number = (digest) => parseInt(digest.slice(0, 13), 16) / 2 ** 52;
const CUTS = {
  "parseInt(digest, 16) % 15": (digest) => parseInt(digest, 16) % 15,
  "parseInt(digest, 16) % 1000003": (digest) => parseInt(digest, 16) % 1000003,
  "toPrecision 9": (digest) => Number(number(digest).toPrecision(9)),
  "toPrecision 3": (digest) => Number(number(digest).toPrecision(3)),
  "toPrecision 15": (digest) => Number(number(digest).toPrecision(15)),
  "round(8 digits / 429496.7295)": (digest) => Math.round(parseInt(digest.slice(0, 8), 16) / 429496.7295),
  "round(13 digits / (4503599627370495 / 1000002))": (digest) =>
    Math.round(parseInt(digest.slice(0, 13), 16) / (4503599627370495 / 1000002)),
};
const results = Object.fromEntries(Object.keys(CUTS).map((name) => [name, new Float64Array(COUNT)]));
for (let index = 0; index < COUNT; index++) {
  const digest = crypto.createHash("sha256").update(String(index)).digest("hex");
  for (const [name, cut] of Object.entries(CUTS)) results[name][index] = cut(digest);
}
const cuts = {};
for (const [name, values] of Object.entries(results)) {
  const sha256 = crypto.createHash("sha256").update(Buffer.from(values.buffer)).digest("hex");
  cuts[name] = { sha256, first: Array.from(values.slice(0, 5)) };
}
const data = { made: "node tests/tools/make_javascript_cuts.js", count: COUNT, cuts };
const file = path.join(__dirname, "..", "vectors", "javascript_cuts.json");
fs.writeFileSync(file, JSON.stringify(data, null, 1) + "\n");
