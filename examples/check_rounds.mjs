// A port of three of Stake's games, checked with the rounds that `provably-fair vectors GAME` prints:
//
//     provably-fair vectors stake.mines > mines.json
//     node examples/check_rounds.mjs mines.json

import { createHmac } from "node:crypto";
import { readFileSync } from "node:fs";

// ---- the port ----

function* numbers(digests) {
  for (const digest of digests) {
    for (let at = 0; at < digest.length; at += 4) yield digest.readUInt32BE(at) / 2 ** 32;
  }
}

function* hashed({ server_seed, client_seed, nonce }) {
  for (let cursor = 0; ; cursor++) {
    yield createHmac("sha256", server_seed).update(`${client_seed}:${nonce}:${cursor}`).digest();
  }
}

const below = (drawn, n) => Math.floor(drawn.next().value * n);

const GAMES = {
  "stake.dice": (drawn) => below(drawn, 10001) / 100,
  "stake.wheel": (drawn) => below(drawn, 10),
  "stake.mines": (drawn) => {
    const left = Array.from({ length: 25 }, (_, cell) => cell);
    return [1, 2, 3].map(() => left.splice(below(drawn, left.length), 1)[0]);
  },
};

// ---- the check ----

const vectors = JSON.parse(readFileSync(process.argv[2], "utf8"));
const play = GAMES[vectors.game];
let wrong = 0;
for (const round of vectors.rounds) {
  // Rounds without fields begin at digests: their words lie where the outcome changes.
  const digests = round.fields ? hashed(round.fields) : round.digests.map((hex) => Buffer.from(hex, "hex"));
  const outcome = play(numbers(digests));
  if (JSON.stringify(outcome) !== JSON.stringify(round.outcome)) {
    wrong++;
    console.log(`expected ${JSON.stringify(round.outcome)}, got ${JSON.stringify(outcome)}`);
    for (const number of round.excludes) console.log(`  not: ${vectors.readings[number]}`);
  }
}
console.log(`${vectors.game}: ${vectors.rounds.length - wrong} of ${vectors.rounds.length} rounds are right`);
process.exit(wrong ? 1 : 0);
