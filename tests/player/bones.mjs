// What write_turtle prints, by the module of doc/examples/three: node bones.mjs player.mjs player.wasm turtle.play
import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

const [binding, wasm, play] = process.argv.slice(2);
const { openPlayer } = await import(pathToFileURL(binding));
const player = await openPlayer(readFileSync(wasm)), bytes = readFileSync(play);
const turtle = player.load(bytes), creature = turtle.create();
creature.set("direction", 2);
for (let i = 0; i < 100; i++) creature.advance(1 / 60);
const places = creature.bones();
turtle.bones.forEach((bone, i) => {
  const numbers = [...places.subarray(7 * i, 7 * i + 7)].map(x => x.toFixed(9));
  console.log(bone.name, bone.parent < 0 ? "none" : turtle.bones[bone.parent].name, ...numbers);
});
if (creature.set("gait", 1)) console.log("it set a parameter that there is not");
try {
  player.load(bytes.subarray(0, 100));
  console.log("it took half a file");
} catch (error) {
  if (!error.message.startsWith("the file has 100 bytes, but was written with")) console.log(error.message);
}
