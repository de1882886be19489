// Draws a scene with WebGL2: shadow map, sky, ground, the measuring grid, solids, marks. Everything that lives in the
// graphics card is made in build(), so that a lost context is a call of build() later.

const SHADOW_SIZE = 2048;

class Renderer {
  constructor(canvas) {
    this.canvas = canvas;
    this.gl = canvas.getContext("webgl2", { antialias: true, alpha: false, powerPreference: "high-performance" });
    if (!this.gl) throw new Error("This browser shows no WebGL 2, which the stage is drawn with.");
    this.lost = false;
    this.quality = 1; /* share of the pixels of the screen, along each side */
    canvas.addEventListener("webglcontextlost", (e) => { e.preventDefault(); this.lost = true; });
    canvas.addEventListener("webglcontextrestored", () => { this.build(); this.check(); this.lost = false; });
    this.build();
  }

  build() {
    const gl = this.gl;
    this.programs = {
      solid: this.program(SOLID_VERTEX, SOLID_FRAGMENT), depth: this.program(SOLID_VERTEX, DEPTH_FRAGMENT),
      ground: this.program(GROUND_VERTEX, GROUND_FRAGMENT), groundDepth: this.program(GROUND_VERTEX, DEPTH_FRAGMENT),
      sky: this.program(SKY_VERTEX, SKY_FRAGMENT), wall: this.program(WALL_VERTEX, WALL_FRAGMENT),
      mark: this.program(MARK_VERTEX, MARK_FRAGMENT),
    };
    this.meshes = { round: this.solidMesh(roundedMesh(7)), cone: this.solidMesh(coneMesh(20)) };
    this.marks = this.markMesh();
    this.ground = { serial: -1, list: [] };
    this.empty = gl.createVertexArray();
    this.shadow = this.shadowMap();
    gl.enable(gl.DEPTH_TEST);
    gl.depthFunc(gl.LEQUAL);
    gl.blendFuncSeparate(gl.SRC_ALPHA, gl.ONE_MINUS_SRC_ALPHA, gl.ONE, gl.ONE_MINUS_SRC_ALPHA);
  }

  program(vertex, fragment) {
    const gl = this.gl, p = gl.createProgram();
    for (const [kind, text] of [[gl.VERTEX_SHADER, vertex], [gl.FRAGMENT_SHADER, fragment]]) {
      const s = gl.createShader(kind);
      gl.shaderSource(s, text);
      gl.compileShader(s);
      gl.attachShader(p, s);
    }
    gl.linkProgram(p);
    const uniforms = new Map();
    p.at = (name) => {
      if (!uniforms.has(name)) uniforms.set(name, gl.getUniformLocation(p, name));
      return uniforms.get(name);
    };
    return p;
  }

  /* To be called before anything is drawn, and late: it waits for the driver, which compiles in the background. */
  check() {
    const gl = this.gl;
    for (const p of Object.values(this.programs)) {
      if (gl.getProgramParameter(p, gl.LINK_STATUS) || gl.isContextLost()) continue;
      const logs = gl.getAttachedShaders(p).map((s) => gl.getShaderInfoLog(s)).join("\n");
      throw new Error("A shader was refused: " + gl.getProgramInfoLog(p) + logs);
    }
  }

  shadowMap() {
    const gl = this.gl, texture = gl.createTexture(), frame = gl.createFramebuffer();
    gl.bindTexture(gl.TEXTURE_2D, texture);
    gl.texStorage2D(gl.TEXTURE_2D, 1, gl.DEPTH_COMPONENT24, SHADOW_SIZE, SHADOW_SIZE);
    for (const [key, value] of [[gl.TEXTURE_COMPARE_MODE, gl.COMPARE_REF_TO_TEXTURE],
      [gl.TEXTURE_COMPARE_FUNC, gl.LEQUAL], [gl.TEXTURE_MIN_FILTER, gl.LINEAR], [gl.TEXTURE_MAG_FILTER, gl.LINEAR],
      [gl.TEXTURE_WRAP_S, gl.CLAMP_TO_EDGE], [gl.TEXTURE_WRAP_T, gl.CLAMP_TO_EDGE]])
      gl.texParameteri(gl.TEXTURE_2D, key, value);
    gl.bindFramebuffer(gl.FRAMEBUFFER, frame);
    gl.framebufferTexture2D(gl.FRAMEBUFFER, gl.DEPTH_ATTACHMENT, gl.TEXTURE_2D, texture, 0);
    gl.drawBuffers([gl.NONE]);
    gl.bindFramebuffer(gl.FRAMEBUFFER, null);
    return { texture, frame };
  }

  attribute(at, size, stride, offset, divisor) {
    const gl = this.gl;
    gl.enableVertexAttribArray(at);
    gl.vertexAttribPointer(at, size, gl.FLOAT, false, stride * 4, offset * 4);
    gl.vertexAttribDivisor(at, divisor);
  }

  solidMesh(mesh) {
    const gl = this.gl, m = { array: gl.createVertexArray(), list: gl.createBuffer(), n: mesh.indices.length };
    gl.bindVertexArray(m.array);
    gl.bindBuffer(gl.ARRAY_BUFFER, gl.createBuffer());
    gl.bufferData(gl.ARRAY_BUFFER, mesh.vertices, gl.STATIC_DRAW);
    for (let i = 0; i < 3; i++) this.attribute(i, 3, 9, 3 * i, 0);
    gl.bindBuffer(gl.ELEMENT_ARRAY_BUFFER, gl.createBuffer());
    gl.bufferData(gl.ELEMENT_ARRAY_BUFFER, mesh.indices, gl.STATIC_DRAW);
    gl.bindBuffer(gl.ARRAY_BUFFER, m.list);
    for (const [at, size, offset] of [[3, 4, 0], [4, 4, 4], [5, 4, 8], [6, 3, 12], [7, 3, 15], [8, 4, 18]])
      this.attribute(at, size, INSTANCE, offset, 1);
    gl.bindVertexArray(null);
    return m;
  }

  markMesh() {
    const gl = this.gl, m = { array: gl.createVertexArray(), list: gl.createBuffer() };
    gl.bindVertexArray(m.array);
    gl.bindBuffer(gl.ARRAY_BUFFER, gl.createBuffer());
    gl.bufferData(gl.ARRAY_BUFFER, new Float32Array([-1, -1, 1, -1, -1, 1, 1, 1]), gl.STATIC_DRAW);
    this.attribute(0, 2, 2, 0, 0);
    gl.bindBuffer(gl.ARRAY_BUFFER, m.list);
    for (const [at, size, offset] of [[1, 3, 0], [2, 3, 3], [3, 3, 6], [4, 4, 9], [5, 2, 13]])
      this.attribute(at, size, 15, offset, 1);
    gl.bindVertexArray(null);
    return m;
  }

  updateGround(ground, x, y, size) {
    const g = this.ground, moved = ground.isPlane() && Math.hypot(x - g.x, y - g.y) > size * 10;
    if (g.serial === ground.serial && !moved) return;
    const gl = this.gl;
    for (const m of g.list) { gl.deleteVertexArray(m.array); m.buffers.forEach((b) => gl.deleteBuffer(b)); }
    g.list = ground.meshes(x, y, size).map((mesh) => {
      const m = { array: gl.createVertexArray(), n: mesh.indices.length, hole: mesh.hole,
        buffers: [gl.createBuffer(), gl.createBuffer()] };
      gl.bindVertexArray(m.array);
      gl.bindBuffer(gl.ARRAY_BUFFER, m.buffers[0]);
      gl.bufferData(gl.ARRAY_BUFFER, mesh.vertices, gl.STATIC_DRAW);
      this.attribute(0, 3, 6, 0, 0);
      this.attribute(1, 3, 6, 3, 0);
      gl.bindBuffer(gl.ELEMENT_ARRAY_BUFFER, m.buffers[1]);
      gl.bufferData(gl.ELEMENT_ARRAY_BUFFER, mesh.indices, gl.STATIC_DRAW);
      gl.bindVertexArray(null);
      return m;
    });
    Object.assign(g, { serial: ground.serial, x, y });
  }

  /* Slow machines get a coarser picture rather than a jerky one. fps: of late; called for each frame. */
  adapt(fps, seconds) {
    if (this.fixedQuality) return;
    this.patience = (this.patience || 0) + seconds;
    if (this.patience < 1.5) return;
    this.patience = 0;
    if (fps < 26) this.quality = Math.max(this.quality * 0.75, 0.4);
    if (fps > 57 && this.quality < 1 && !this.raised) { /* once: else it would go up and down for ever */
      this.quality = Math.min(this.quality * 1.2, 1);
      this.raised = true;
    }
  }

  /* Makes the drawing as large as it is shown; returns its width by its height. */
  resize() {
    const ratio = Math.min(window.devicePixelRatio || 1, 2) * this.quality, c = this.canvas;
    const width = Math.max(1, Math.round(c.clientWidth * ratio));
    const height = Math.max(1, Math.round(c.clientHeight * ratio));
    if (c.width !== width || c.height !== height) { c.width = width; c.height = height; }
    return width / height;
  }

  drawList(mesh, list, program) {
    if (!list.count) return;
    const gl = this.gl;
    gl.useProgram(program);
    gl.bindVertexArray(mesh.array);
    gl.bindBuffer(gl.ARRAY_BUFFER, mesh.list);
    gl.bufferData(gl.ARRAY_BUFFER, list.data.subarray(0, INSTANCE * list.count), gl.STREAM_DRAW);
    gl.drawElementsInstanced(gl.TRIANGLES, mesh.n, gl.UNSIGNED_SHORT, 0, list.count);
  }

  /* The light's box goes with the creature in whole texels: edges of shadows then do not crawl. */
  lightMatrix(sun, centre, size) {
    const half = size * 2.6, texel = 2 * half / SHADOW_SIZE;
    const view = lookAt(add(centre, scale(sun, size * 8)), centre, [0, 1, 0]);
    const snapped = product(orthographic(half, size * 0.5, size * 16), view);
    const x = -(view[12] % texel), y = -(view[13] % texel);
    snapped[12] += x / half;
    snapped[13] += y / half;
    return snapped;
  }

  drawShadows(scene, light) {
    const gl = this.gl;
    gl.bindFramebuffer(gl.FRAMEBUFFER, this.shadow.frame);
    gl.viewport(0, 0, SHADOW_SIZE, SHADOW_SIZE);
    gl.clear(gl.DEPTH_BUFFER_BIT);
    gl.enable(gl.POLYGON_OFFSET_FILL);
    gl.polygonOffset(2, 4);
    gl.useProgram(this.programs.depth);
    gl.uniformMatrix4fv(this.programs.depth.at("u_view"), false, light);
    this.drawList(this.meshes.round, scene.solids, this.programs.depth);
    if (!scene.ground.isPlane()) {
      gl.useProgram(this.programs.groundDepth);
      gl.uniformMatrix4fv(this.programs.groundDepth.at("u_view"), false, light);
      gl.bindVertexArray(this.ground.list[0].array);
      gl.drawElements(gl.TRIANGLES, this.ground.list[0].n, gl.UNSIGNED_INT, 0);
    }
    gl.disable(gl.POLYGON_OFFSET_FILL);
    gl.bindFramebuffer(gl.FRAMEBUFFER, null);
    gl.viewport(0, 0, this.canvas.width, this.canvas.height);
  }

  setLight(p, scene, light) {
    const gl = this.gl, t = scene.theme;
    gl.useProgram(p);
    gl.uniformMatrix4fv(p.at("u_view"), false, scene.camera.matrix);
    gl.uniformMatrix4fv(p.at("u_light"), false, light);
    gl.uniform3fv(p.at("u_sun"), scene.camera.sun);
    gl.uniform3fv(p.at("u_eye"), scene.camera.eye);
    gl.uniform4f(p.at("u_strength"), t.key, t.sky, t.bounce, t.shadow);
    gl.uniform1f(p.at("u_blur"), 7 / SHADOW_SIZE);
    gl.uniform1f(p.at("u_size"), scene.size);
    gl.uniform1i(p.at("u_shadow"), 0);
  }

  drawSky(scene) {
    const gl = this.gl, p = this.programs.sky, c = scene.camera;
    gl.useProgram(p);
    gl.uniform3fv(p.at("u_right"), scale(c.right, c.tangent * c.aspect));
    gl.uniform3fv(p.at("u_up"), scale(c.up, c.tangent));
    gl.uniform3fv(p.at("u_forward"), c.ahead);
    gl.uniform3fv(p.at("u_zenith"), scene.theme.zenith);
    gl.uniform3fv(p.at("u_horizon"), scene.theme.horizon);
    gl.bindVertexArray(this.empty);
    gl.depthMask(false);
    gl.drawArrays(gl.TRIANGLES, 0, 3);
    gl.depthMask(true);
  }

  drawGround(scene, light) {
    const gl = this.gl, p = this.programs.ground, t = scene.theme;
    this.setLight(p, scene, light);
    for (const [name, value] of [["u_ground", t.ground], ["u_line", t.line], ["u_horizon", t.horizon],
      ["u_pool", t.pool], ["u_centre", scene.foot], ["u_askedColour", t.asked], ["u_doneColour", t.done],
      ["u_secondColour", t.second]])
      gl.uniform3fv(p.at(name), value);
    gl.uniform1f(p.at("u_cell"), scene.cell);
    gl.uniform1f(p.at("u_lines"), t.lines);
    gl.uniform4fv(p.at("u_ring"), scene.ring.shape);
    gl.uniform4fv(p.at("u_arrows"), scene.ring.arrows);
    this.ground.list.forEach((m, i) => {
      const hole = i > 0 ? this.ground.list[i - 1].hole : null;
      gl.uniform4fv(p.at("u_hole"), hole ? [...hole, 1] : [0, 0, 0, 0]);
      gl.bindVertexArray(m.array);
      gl.drawElements(gl.TRIANGLES, m.n, gl.UNSIGNED_INT, 0);
    });
  }

  /* Two walls, along x and along y, each behind the creature as seen from the camera; the one that faces it shows. */
  drawWalls(scene) {
    if (!scene.theme.wall) return;
    const gl = this.gl, p = this.programs.wall, c = scene.camera, flat = Math.hypot(c.forward[0], c.forward[1]);
    gl.useProgram(p);
    gl.uniformMatrix4fv(p.at("u_view"), false, c.matrix);
    gl.uniform3fv(p.at("u_line"), scene.theme.line);
    gl.uniform3fv(p.at("u_cloth"), scene.theme.zenith);
    gl.uniform1f(p.at("u_cell"), scene.cell);
    gl.uniform1f(p.at("u_floor"), scene.foot[2]);
    gl.uniform2f(p.at("u_extent"), scene.size * 9, scene.size * 3.2);
    gl.bindVertexArray(this.empty);
    gl.enable(gl.BLEND);
    gl.depthMask(false);
    for (const axis of [0, 1]) {
      const facing = c.forward[axis] / (flat || 1), normal = [0, 0, 0], line = [0, 0, 0];
      normal[axis] = Math.sign(facing) || 1;
      line[1 - axis] = 1;
      const opacity = smoothstep(0.66, 0.75, Math.abs(facing)) * smoothstep(0.45, 0.8, flat);
      if (opacity <= 0) continue;
      gl.uniform1f(p.at("u_opacity"), opacity * scene.theme.wall);
      gl.uniform3fv(p.at("u_origin"), along(scene.foot, normal, scene.size * 1.5));
      gl.uniform3fv(p.at("u_along"), line);
      gl.drawArrays(gl.TRIANGLE_STRIP, 0, 4);
    }
    gl.depthMask(true);
    gl.disable(gl.BLEND);
  }

  drawSolids(scene, light) {
    const gl = this.gl, p = this.programs.solid, t = scene.theme;
    this.setLight(p, scene, light);
    gl.uniform3fv(p.at("u_skyColour"), t.wall ? [0.5, 0.5, 0.5] : [0.9, 0.95, 1]);
    gl.uniform3fv(p.at("u_groundColour"), t.pool);
    gl.uniform1f(p.at("u_rim"), t.rim);
    gl.uniform1f(p.at("u_plain"), 0);
    this.drawList(this.meshes.round, scene.solids, p);
    gl.uniform1f(p.at("u_plain"), 1);
    this.drawList(this.meshes.round, scene.plain, p);
    this.drawList(this.meshes.cone, scene.cones, p);
    this.drawClear(this.meshes.round, scene.clear, p);
    this.drawClear(this.meshes.cone, scene.clearCones, p);
  }

  /* Translucent: depth first, so that limbs of a ghost do not shine through each other. */
  drawClear(mesh, list, p) {
    if (!list.count) return;
    const gl = this.gl;
    gl.colorMask(false, false, false, false);
    this.drawList(mesh, list, p);
    gl.colorMask(true, true, true, true);
    gl.enable(gl.BLEND);
    this.drawList(mesh, list, p);
    gl.disable(gl.BLEND);
  }

  /* onTop: not hidden by what stands before them, for gauges on joints. */
  drawMarks(marks, scene, onTop) {
    if (!marks.length) return;
    const gl = this.gl, p = this.programs.mark;
    gl.useProgram(p);
    gl.uniformMatrix4fv(p.at("u_view"), false, scene.camera.matrix);
    gl.bindVertexArray(this.marks.array);
    gl.bindBuffer(gl.ARRAY_BUFFER, this.marks.list);
    gl.bufferData(gl.ARRAY_BUFFER, new Float32Array(marks), gl.STREAM_DRAW);
    gl.enable(gl.BLEND);
    gl.depthMask(false);
    if (onTop) gl.disable(gl.DEPTH_TEST);
    gl.drawArraysInstanced(gl.TRIANGLE_STRIP, 0, 4, marks.length / 15);
    gl.enable(gl.DEPTH_TEST);
    gl.depthMask(true);
    gl.disable(gl.BLEND);
  }

  /* scene: theme, camera, ground, foot (below the creature), size, cell, ring, solids, plain, cones, clear,
   * clearCones (Instances), prints, gauges (marks). */
  draw(scene) {
    if (this.lost) return;
    const gl = this.gl;
    this.updateGround(scene.ground, scene.foot[0], scene.foot[1], scene.size);
    const light = this.lightMatrix(scene.camera.sun, add(scene.foot, [0, 0, scene.size * 0.5]), scene.size);
    this.drawShadows(scene, light);
    gl.activeTexture(gl.TEXTURE0);
    gl.bindTexture(gl.TEXTURE_2D, this.shadow.texture);
    gl.clear(gl.DEPTH_BUFFER_BIT);
    this.drawSky(scene);
    this.drawGround(scene, light);
    this.drawWalls(scene);
    this.drawMarks(scene.prints, scene, false);
    this.drawSolids(scene, light);
    this.drawMarks(scene.gauges, scene, true);
  }
}
