// node run.mjs MODULE ARGUMENT...: runs a WASI command in the present folder. Node 20 or later.
import { readFile } from 'node:fs/promises';
import { WASI } from 'node:wasi';

const [module, ...args] = process.argv.slice(2);
const wasi = new WASI({ version: 'preview1', args: [module, ...args], preopens: { '.': '.' } });
const { instance } = await WebAssembly.instantiate(await readFile(module), wasi.getImportObject());
process.exitCode = wasi.start(instance) ?? 0;
