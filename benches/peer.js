// Node's own crypto, doing dice rounds: reads lines "rounds cursors", answers when they are done.
const { createHash, createHmac } = require("crypto");
const [server, client] = ["a".repeat(64), "b".repeat(64)];
const salts = Array.from({ length: 100000 }, (_, i) => createHash("sha256").update(`0:${i}`).digest("hex"));

function number(bytes, t) {
  let [value, power] = [0, 256];
  for (let i = t * 8; i < t * 8 + 8; i++) {
    value += bytes[i] / power;
    power *= 256;
  }
  return value;
}

require("readline").createInterface({ input: process.stdin }).on("line", (line) => {
  const [rounds, cursors] = line.split(" ").map(Number);
  let sum = 0;
  for (let r = 0; r < rounds; r++) {
    const key = createHash("sha256").update(`${server}:${salts[r % salts.length]}`).digest("hex");
    for (let c = 0; c < cursors; c++) {
      sum += number(createHmac("sha512", key).update(`${client}:${c}`).digest(), 0);
    }
  }
  console.log(`done ${sum}`);
});
