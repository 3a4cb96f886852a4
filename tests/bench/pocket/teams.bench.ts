import { test } from 'vitest';
import { type Family, loadPolicy, type PocketPolicy, pocketProblems, pretrain } from '../../../main/pocket';
import { type Member, scoreTeam } from './search-scores';

/** Settings by environment: SPLIT (validation), PROBLEMS (100), NODES (60), SEEDS (1,2,3), TEMPERATURE (1), SCORE, BELIEFS. */
const setting = (name: string, otherwise: string): string => process.env[name] ?? otherwise;
const split = setting('SPLIT', 'validation') === 'test' ? 'test' : 'validation';
const problems = pocketProblems({ split, seed: 1, count: Number(setting('PROBLEMS', '100')) });
const seeds = setting('SEEDS', '1,2,3').split(',').map(Number);

function base(family: Family, seed: number): PocketPolicy {
  const loaded = loadPolicy(pretrain({ family, seed }));
  if (!loaded.ok) throw new Error(loaded.error.message);
  return loaded.value;
}

test('pass rates of single, homogeneous and heterogeneous teams', () => {
  const lines: string[] = [];
  for (const seed of seeds) {
    const reader = base('reader', seed);
    const tracer = base('tracer', seed);
    const member = (policy: PocketPolicy, role: Member['role'] = 'solver'): Member => ({ policy, role });
    const teams: Record<string, readonly Member[]> = {
      reader: [member(reader)],
      'reader as refiner': [member(reader, 'refiner')],
      'reader, 2 roles': [member(reader), member(reader, 'refiner')],
      tracer: [member(tracer)],
      'tracer, 2 roles': [member(tracer), member(tracer, 'refiner')],
      'reader + tracer': [member(reader), member(tracer)],
      'reader + tracer refiner': [member(reader), member(tracer, 'refiner')],
    };
    for (const [name, team] of Object.entries(teams)) {
      const scores = scoreTeam(team, problems, {
        nodes: Number(setting('NODES', '60')),
        samples: 16,
        temperature: Number(setting('TEMPERATURE', '1')),
        beliefs: setting('BELIEFS', 'gaussian') === 'beta' ? 'beta' : 'gaussian',
        score: setting('SCORE', 'fraction') === 'all' ? 'all' : 'fraction',
        seed,
      });
      const cells = Object.entries(scores).map(([key, value]) => `${key} ${(100 * value).toFixed(1)}`);
      lines.push(`seed ${seed}  ${name.padEnd(24)} ${cells.join('  ')}`);
    }
  }
  console.log(lines.join('\n'));
});
