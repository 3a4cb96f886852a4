import { spawnSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { bundleScript } from '../../support/bundled-script';

test('a checkpoint that cannot be written is reported in one line, without a stack trace', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'pretrain '));
  try {
    const entry = join(import.meta.dirname, '..', '..', '..', 'main', 'studies', 'pretrain-pocket.ts');
    const script = await bundleScript(entry, folder);
    const out = join(folder, 'missing', 'weak.json');
    const ended = spawnSync(process.execPath, [script, '--family', 'weak', '--seed', '1', '--out', out], {
      encoding: 'utf8',
    });
    expect(ended.status).toBe(1);
    expect(ended.stderr).toBe(`${out} could not be written: it does not exist (ENOENT).\n`);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});
