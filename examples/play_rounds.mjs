// A port of Stake's dice as a program, for the pytest file that `provably-fair vectors` writes:
//
//     provably-fair vectors stake.dice --pytest test_dice.py
//     pytest test_dice.py --program "node examples/play_rounds.mjs"
//
// Each line of the input is a round, a JSON object of its seeds; each line that is printed is its outcome.

import { createHmac } from "node:crypto";
import { createInterface } from "node:readline";

function dice({ server_seed, client_seed, nonce }) {
  const digest = createHmac("sha256", server_seed).update(`${client_seed}:${nonce}:0`).digest();
  return fromDigest(digest);
}

const fromDigest = (digest) => Math.floor((digest.readUInt32BE(0) / 2 ** 32) * 10001) / 100;

for await (const line of createInterface({ input: process.stdin })) {
  const seeds = JSON.parse(line);
  // Some rounds begin at their digests: a port that can't begin there prints null.
  const outcome = seeds.digests ? fromDigest(Buffer.from(seeds.digests[0], "hex")) : dice(seeds);
  console.log(JSON.stringify(outcome));
}
