#!/usr/bin/env bash
# In Pyodide 0.27 time.process_time() is always 0.0: a budget of processor time is never used up.
#
# Expected: process_time() grows while Python computes, as perf_counter() does.
# Version:  pyodide 0.27.7 (the Pyodide of jupyterlite-pyodide-kernel 0.5.2), in Node 20; and 314.0.7, where it
#   is put right.
# Seen:     0.27.7: 20,000 readings around a computation, one value, 0.0; perf_counter() has 20,000.
#   314.0.7: as many values of both.
#     0.27.7: process_time has 1 value(s), the last 0; perf_counter has 20000
#     314.0.7: process_time has 20000 value(s), the last 12.647504; perf_counter has 20000
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
cat >clock.mjs <<'SCRIPT'
import { loadPyodide } from "pyodide";

const python = await loadPyodide();
const said = python.runPython(`
import json, time
process, wall = [], []
for _ in range(20_000):
    sum(range(200))
    process.append(time.process_time())
    wall.append(time.perf_counter())
json.dumps([len(set(process)), process[-1], len(set(wall))])
`);
const [values, last, others] = JSON.parse(said);
console.log(`process_time has ${values} value(s), the last ${last}; perf_counter has ${others}`);
const still = values === 1 && last === 0 && others > 1000;
process.exit(still === (process.argv[2] === "still") ? 0 : 1);
SCRIPT
for one in 0.27.7:still 314.0.7:moves; do
    npm install --silent --no-audit --no-fund "pyodide@${one%:*}"
    echo -n "${one%:*}: "
    node clock.mjs "${one#*:}"
done
