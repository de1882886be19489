// Khronos' validator (npm: gltf-validator) on files: prints what it finds, and fails at any error, warning or hint. For
// tests/exchange/test_gltf_valid.sh.
const fs = require('fs');
const validator = require('gltf-validator');
(async () => {
  let bad = 0;
  for (const file of process.argv.slice(2)) {
    const report = await validator.validateBytes(new Uint8Array(fs.readFileSync(file)), { uri: file });
    for (const m of report.issues.messages) console.log(`${file}: ${m.code}: ${m.message} ${m.pointer || ''}`);
    bad += report.issues.messages.length;
    if (report.info.animationCount === undefined || report.info.totalTriangleCount === undefined) bad++;
  }
  process.exit(bad ? 1 : 0);
})().catch((error) => { console.log(String(error)); process.exit(1); });
