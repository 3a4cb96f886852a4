import type { Scenario } from '../harness/scenario';
import { benchmarkGone } from './benchmark-gone';
import { clockJumps } from './clock-jumps';
import { fullDisk } from './full-disk';
import { fullLoad } from './full-load';
import { killApp } from './kill-app';
import { killGrader, killServer } from './kill-helpers';
import { killSshd } from './kill-sshd';
import { killTrainer } from './kill-trainer';
import { machineAway } from './machine-away';
import { readOnly } from './read-only';
import { stopped } from './stopped';
import { twoApps } from './two-apps';

/**
 * All of them. The 100 kills come last: where time is short, there are fewer of them, and every other scenario has had its
 * turn.
 */
export const scenarios: readonly Scenario[] = [
  fullDisk(4, 45),
  readOnly(30),
  benchmarkGone(3, 40),
  clockJumps(1, 40),
  stopped(110),
  fullLoad(60),
  twoApps(110),
  machineAway(40),
  killSshd(18, 60),
  killGrader(15, 45),
  killServer(15, 45),
  killTrainer(12, 60),
  killApp(40, 150),
];
