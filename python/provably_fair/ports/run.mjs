// Plays rounds by a port, without npm: node run.mjs game.mjs
//
// Each line of the input is a round, a JSON object of its fields; each line that is printed is its outcome as JSON,
// null if a round that begins at its digests needs others than it has. @noble/hashes is the bundle beside this file,
// unless the port finds one of its own.

import { readFileSync } from "node:fs";
import { register } from "node:module";
import { resolve } from "node:path";
import { createInterface } from "node:readline";
import { pathToFileURL } from "node:url";

const bundle = readFileSync(new URL("hashes.js", import.meta.url), "utf8");
const offered = [...bundle.matchAll(/\b(\w+):\(\)=>/g)].map((found) => found[1]);
const hashes = `data:text/javascript,${encodeURIComponent(`${bundle}\nexport const { ${offered.join(", ")} } = HASHES;`)}`;

const hooks = `
  export async function resolve(name, context, next) {
    try {
      return await next(name, context);
    } catch (error) {
      if (!name.startsWith("@noble/hashes/")) throw error;
      return { url: ${JSON.stringify(hashes)}, shortCircuit: true };
    }
  }`;
register(`data:text/javascript,${encodeURIComponent(hooks)}`);

const { outcome } = await import(pathToFileURL(resolve(process.argv[2])).href);

// Whole numbers that doubles don't hold stay texts.
const exact = (line) =>
  line.replace(/"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?/g, (one) => (/^\d{16,}$/.test(one) ? `"${one}"` : one));

const printed = (value) =>
  Array.isArray(value) ? `[${value.map(printed).join(", ")}]` : Number.isFinite(value) ? JSON.stringify(value) : String(value);

for await (const line of createInterface({ input: process.stdin })) {
  const fields = JSON.parse(exact(line));
  let text;
  try {
    text = printed(outcome(fields));
  } catch (error) {
    if (!fields.digests) throw error;
    text = "null";
  }
  console.log(text);
}
