// Controllers of Muybridge in JavaScript: a binding of player.wasm (player_module.c), for browsers and node.
//
//     const player = await openPlayer(bytesOfPlayerWasm);
//     const horse = player.load(bytesOfHorsePlay);       // throws what is wrong with the file
//     const creature = horse.create();
//     creature.set("direction", 1.57);                   // a heading in the world [rad]
//     creature.advance(1 / 60);                          // seconds
//     creature.bones();                                  // Float64Array: x y z and w x y z of each of horse.bones
//
// Metres; x forward, y left, z up.

const SOLIDS = [null, "capsule", "box", "ellipsoid"];

export async function openPlayer(bytes) {
  const { instance } = await WebAssembly.instantiate(bytes, {});
  const wasm = instance.exports;
  wasm._initialize?.();
  const numbers = (at, n) => new Float64Array(wasm.memory.buffer, at, n);

  function text(at) {
    const all = new Uint8Array(wasm.memory.buffer);
    return new TextDecoder().decode(all.slice(at, all.indexOf(0, at)));
  }

  function lend(data, use) { // bytes that the module sees during a call
    const at = wasm.memory_for(data.length);
    new Uint8Array(wasm.memory.buffer).set(data, at);
    const result = use(at, data.length);
    wasm.release(at);
    return result;
  }

  function bone(c, i) {
    const shape = [...numbers(wasm.bone_shape(c, i), 10)];
    return { name: text(wasm.bone_name(c, i)), parent: wasm.bone_parent(c, i), solid: SOLIDS[wasm.bone_solid(c, i)],
             centre: shape.slice(0, 3), turn: shape.slice(3, 7), size: shape.slice(7) };
  }

  function create(c, n) {
    const k = wasm.create(c);
    const find = name => lend(new TextEncoder().encode(name + "\0"), at => wasm.find(c, at));
    return {
      set: (name, value) => wasm.set(k, find(name), value) === 1,
      advance: seconds => wasm.advance(k, seconds),
      bones: () => numbers(wasm.bones(k), 7 * n),
    };
  }

  return {
    load(data) {
      const c = lend(data, wasm.load);
      if (!c) throw new Error(text(wasm.why()));
      const n = wasm.n_bones(c);
      return { bones: Array.from({ length: n }, (_, i) => bone(c, i)), create: () => create(c, n) };
    },
  };
}
