// node pyodide.mjs PYODIDE SCRIPT ROOT=/place ... -- PACKAGE ... -- ARGUMENT ...: a Python program in Pyodide.
// PYODIDE is a folder with pyodide.mjs and the wheels of the packages; each ROOT is seen at its place.
import { pathToFileURL } from "node:url";

const [pyodide, script, ...words] = process.argv.slice(2);
const [mounts, packages, given] = [[], [], []];
let kind = 0;
for (const word of words) {
  if (word === "--" && kind < 2) kind += 1;
  else [mounts, packages, given][kind].push(word);
}
const { loadPyodide } = await import(pathToFileURL(`${pyodide}/pyodide.mjs`));
const py = await loadPyodide({ indexURL: pyodide });
await py.loadPackage(packages, { messageCallback: () => {} });
for (const word of mounts) {
  const [root, place] = word.split("=");
  py.FS.mkdirTree(place);
  py.FS.mount(py.FS.filesystems.NODEFS, { root }, place);
}
py.globals.set("words", py.toPy([script, ...given]));
process.exitCode = py.runPython(`
import runpy, sys
sys.argv = words
try:
    runpy.run_path(words[0], run_name="__main__")
    code = 0
except SystemExit as ended:
    code = ended.code
    if isinstance(code, str):
        print(code, file=sys.stderr)
        code = 1
code or 0
`);
