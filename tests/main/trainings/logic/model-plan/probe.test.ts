import { execFileSync } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { planScript, readPlanProbe } from '../../../../../main/trainings/logic/model-plan/probe';
import { smol } from '../../../../support/model-shapes';
import { temporaryFolder } from '../../../../support/temporary-folder';

test('the machine is asked about its cores, its memory and the models’ configurations', async () => {
  const folder = await temporaryFolder();
  await mkdir(join(folder, "it's"));
  await writeFile(join(folder, "it's", 'config.json'), JSON.stringify(smol));
  await writeFile(join(folder, 'small.gguf'), 'GGUF');
  const agents = ["it's", 'small.gguf', 'absent', '.'].map((name, at) => ({
    ...{ id: `a${at}`, model: join(folder, name), maxTokens: 8, extraction: 'whole' as const },
  }));
  const probe = readPlanProbe(execFileSync('/bin/sh', ['-c', planScript({ agents })], { encoding: 'utf8' }), {
    agents,
  });
  expect(probe.cores).toBeGreaterThan(0);
  expect(probe.shapes[0]).toMatchObject({ kind: 'known', shape: { parameters: 134_515_008 } });
  expect(probe.shapes.slice(1).map((reading) => (reading.kind === 'unknown' ? reading.why : ''))).toEqual([
    'is a file (GGUF), and a plan reads only the config.json of a folder',
    'is not there',
    'is a folder without a config.json',
  ]);
  expect(readPlanProbe('', { agents }).shapes).toHaveLength(4);
});
