// npm run fix: repairs what can be repaired, format and lint. Further arguments go to biome.
import { runChild } from './child.mjs';
import { ensure, runScript } from './ensure/index.mjs';
import { inProject } from './project.mjs';

await runScript(async () => {
  await ensure([]);
  const args = [
    inProject('node_modules', '@biomejs', 'biome', 'bin', 'biome'),
    'check',
    '--write',
    ...process.argv.slice(2),
  ];
  const { code } = await runChild(process.execPath, args, { cwd: inProject() });
  process.exitCode = code;
});
