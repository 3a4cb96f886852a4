import { getPriority } from 'node:os';
import { expect, it } from 'vitest';
import { runChild } from '../../scripts/child.mjs';

it('a program that yields has a lower priority than the one that started it', async () => {
  const script = 'setTimeout(() => console.log(require("node:os").getPriority()), 200)';
  const { output } = await runChild(process.execPath, ['-e', script], { collect: true, yields: true });
  expect(Number(output)).toBeGreaterThan(getPriority());
});
