import { expect, it } from 'vitest';
import { findShellTexts } from '../../scripts/lint/shell-text.mjs';
import { plantProject, projectRoot } from './planted-project';

it('refuses a script that is put together outside of the logic folders, in whatever way', async () => {
  const project = plantProject({
    'main/jobs/planted.ts': `
import { execSync, spawn } from 'node:child_process';
const written = (folder) => ['cd ' + folder, 'ls'].join('\\n');
export async function planted(machine, folder, isQuick, listScript) {
  await machine.run(\`ls '\${folder}'\`);
  const script = isQuick ? 'ls' : 'ls ' + folder;
  await machine.run(script, { timeoutMs: 1 });
  await spawnScript(machine, written(folder));
  spawn('/bin/sh', ['-c', \`ls \${folder}\`]);
  await machine.spawn('setpriv', ['sh', '-c', String.raw\`ls \${folder}\`]);
  execSync('ls FOLDER'.replace('FOLDER', folder));
}
`,
    'main/jobs/lawful.ts': `
import { listScript } from './logic/list-script';
const SCRIPT = \`exit 0\`;
export async function lawful(machine, folder, script) {
  await machine.run(listScript(folder));
  await machine.run(SCRIPT);
  await machine.run(script);
  /a/.exec(\`b\${folder}\`);
  spawn('python3', ['-c', \`print(\${1})\`]);
}
`,
    'main/jobs/logic/list-script.ts': `export const listScript = (machine, folder) => machine.run(\`ls \${folder}\`);\n`,
  });
  try {
    const found = await findShellTexts(project.folder);
    expect(found.map((line) => line.split(': ')[0])).toEqual(
      [5, 7, 8, 9, 10, 11].map((line) => `main/jobs/planted.ts:${line}`),
    );
  } finally {
    project.close();
  }
});

it('finds none in this project', async () => {
  expect(await findShellTexts(projectRoot)).toEqual([]);
});
