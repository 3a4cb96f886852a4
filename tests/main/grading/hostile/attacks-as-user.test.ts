import { describe } from 'vitest';
import { attackSuite } from './attack-suite';

const ORDINARY = 1_000;

// This file has a process of its own, which can give up being root for good.
const isRoot = process.getuid?.() === 0;
if (isRoot) {
  process.setgroups?.([]);
  process.setgid?.(ORDINARY);
  process.setuid?.(ORDINARY);
}
describe.skipIf(!isRoot)(
  'attacks, as an ordinary user (skipped where the tests run as one anyway)',
  attackSuite,
);
