import { test } from 'vitest';
import {
  areaUnderCurve,
  type Family,
  loadPolicy,
  loadRewardModel,
  type PocketPolicy,
  pocketProblems,
  pretrain,
  trainRewardModel,
} from '../../../main/pocket';
import { type Member, type SearchSettings, searchTreeOf } from './search-scores';

/** Settings by environment: SPLIT (validation), PROBLEMS (100), NODES (60), SEEDS (1,2,3), SCORE, BELIEFS, WEIGHT (0.2). */
const setting = (name: string, otherwise: string): string => process.env[name] ?? otherwise;
const split = setting('SPLIT', 'validation') === 'test' ? 'test' : 'validation';
const problems = pocketProblems({ split, seed: 1, count: Number(setting('PROBLEMS', '100')) });
const seeds = setting('SEEDS', '1,2,3').split(',').map(Number);

function base(family: Family, seed: number): PocketPolicy {
  const loaded = loadPolicy(pretrain({ family, seed }));
  if (!loaded.ok) throw new Error(loaded.error.message);
  return loaded.value;
}

const percent = (share01: number): string => (100 * share01).toFixed(1);
const mean = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length;

/** What each way of choosing finds in the same trees, and how well the model ranks what passes all public tests. */
function chosenIn(team: readonly Member[], settings: SearchSettings): Record<string, string> {
  const found = problems.map((problem) => {
    const { nodes } = searchTreeOf(team, problem, settings);
    const top = Math.max(...nodes.map(({ score }) => score));
    const best = nodes.filter(({ score }) => score === top);
    const most = Math.max(...best.map(({ reward }) => reward));
    const lucky = new Map(
      nodes.filter(({ publicScore }) => publicScore === 1).map((node) => [node.program, node]),
    );
    const scored = [...lucky.values()].map(({ reward, solved }) => ({ score: reward, right: solved }));
    const both = scored.some(({ right }) => right) && scored.some(({ right }) => !right);
    return {
      earliest: best[0]?.solved ? 1 : 0,
      latest: best.at(-1)?.solved ? 1 : 0,
      reward: best.findLast(({ reward }) => reward === most)?.solved ? 1 : 0,
      any: nodes.some(({ solved }) => solved) ? 1 : 0,
      area: both ? areaUnderCurve(scored) : null,
    };
  });
  const areas = found.flatMap(({ area }) => (area === null ? [] : [area]));
  return {
    earliest: percent(mean(found.map((one) => one.earliest))),
    latest: percent(mean(found.map((one) => one.latest))),
    'by reward': percent(mean(found.map((one) => one.reward))),
    'pass@n': percent(mean(found.map((one) => one.any))),
    AUC: `${mean(areas).toFixed(3)} (${areas.length} trees)`,
  };
}

function sentenceOf(cells: Record<string, string>): string {
  return Object.entries(cells)
    .map(([key, value]) => `${key} ${value}`)
    .join('  ');
}

test('what a reward model adds to the choice among candidates that pass the public tests', () => {
  for (const seed of seeds) {
    const policies = { reader: base('reader', seed), tracer: base('tracer', seed) };
    const before = process.cpuUsage();
    const record = trainRewardModel({ seed, policies: [policies.reader, policies.tracer] });
    const { user, system } = process.cpuUsage(before);
    const { heldOut, trained } = record;
    console.log(
      `seed ${seed}  ${trained.candidates} candidates of ${trained.problems} problems, ${((user + system) / 1e6).toFixed(1)} s of CPU; held out:`,
      `accuracy ${heldOut.accuracy.toFixed(3)}, AUC ${heldOut.auc.toFixed(3)}, lucky ones ${heldOut.lucky.auc.toFixed(3)}`,
    );
    const model = loadRewardModel(record);
    if (!model.ok) throw new Error(model.error.message);
    const settings: SearchSettings = {
      nodes: Number(setting('NODES', '60')),
      samples: 0,
      temperature: 1,
      beliefs: setting('BELIEFS', 'gaussian') === 'beta' ? 'beta' : 'gaussian',
      score: setting('SCORE', 'fraction') === 'all' ? 'all' : 'fraction',
      seed,
      reward: { model: model.value, weight: 0 },
    };
    const teams: Record<string, readonly Member[]> = {
      reader: [{ policy: policies.reader, role: 'solver' }],
      tracer: [{ policy: policies.tracer, role: 'solver' }],
      'reader + tracer': [
        { policy: policies.reader, role: 'solver' },
        { policy: policies.tracer, role: 'solver' },
      ],
    };
    const weight = Number(setting('WEIGHT', '0.2'));
    for (const [name, team] of Object.entries(teams)) {
      console.log(`seed ${seed}  ${name}, choice: ${sentenceOf(chosenIn(team, settings))}`);
      const guided = chosenIn(team, { ...settings, reward: { model: model.value, weight } });
      console.log(`seed ${seed}  ${name}, in the score: ${sentenceOf(guided)}`);
    }
  }
});
