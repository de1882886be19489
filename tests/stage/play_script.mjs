// node play_script.mjs MODULE PACKAGE SCRIPT: what play_script.c does, with the module of the page. Node 20 or later.
import { readFileSync } from 'node:fs';

const [modulePath, packagePath, scriptPath] = process.argv.slice(2);
const compiled = new WebAssembly.Module(readFileSync(modulePath));
const imports = WebAssembly.Module.imports(compiled);
if (imports.length) throw new Error('the module imports ' + imports.map((i) => i.name).join(', '));
const m = new WebAssembly.Instance(compiled, {}).exports;
const text = (at) => {
  const all = new Uint8Array(m.memory.buffer);
  return new TextDecoder().decode(all.subarray(at, all.indexOf(0, at)));
};
const bytes = readFileSync(packagePath);
const at = m.mem(bytes.length);
new Uint8Array(m.memory.buffer, at, bytes.length).set(bytes);
if (!m.open(at, bytes.length)) throw new Error(text(m.why()));
const about = JSON.parse(text(m.about()));

function show(state) {
  const record = new Float32Array(m.memory.buffer, m.record(), about.record.length);
  const sum = record.reduce((a, x) => a + (Number.isNaN(x) ? 0 : x), 0);
  const q = new Float64Array(m.memory.buffer, m.pose(), about.n_dofs);
  const v = new Float64Array(m.memory.buffer, m.speeds(), about.n_dofs);
  const words = [state, m.mode_now(), m.time(), m.looks(), m.put_off(), m.value(), sum];
  for (let i = 0; i < about.n_dofs; i++) words.push(q[i], v[i]);
  console.log(words.join(' '));
}

for (const line of readFileSync(scriptPath, 'utf8').split('\n')) {
  const [name, ...numbers] = line.trim().split(/\s+/);
  if (!name || name.startsWith('#')) continue;
  const x = numbers.map(Number);
  if (name === 'run') {
    for (let i = 0; i < x[0]; i++) {
      const state = m.frame();
      if (i % 10 === 9) show(state);
    }
  } else console.log(name, m[name](...x) ?? 1);
}
