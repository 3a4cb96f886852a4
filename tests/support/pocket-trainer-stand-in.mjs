// A stand-in for the pocket trainer: writes the files that one writes, and learns nothing.
// STAND_IN_SAVE_AT: it saves after this update, else at its end alone. STAND_IN_UPDATE_MS: how long an update takes. STAND_IN_FAIL_AT: at this update it fails, as with a full disk.
import { appendFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

const { values } = parseArgs({
  options: {
    spec: { type: 'string' },
    out: { type: 'string' },
    checkpoints: { type: 'string' },
    resources: { type: 'string' },
  },
});
const { spec, agents } = JSON.parse(readFileSync(values.spec, 'utf8'));
const inside = (...names) => join(values.out, ...names);
mkdirSync(inside('checkpoints'), { recursive: true });
const state = inside('state.json');
let step = existsSync(state) ? JSON.parse(readFileSync(state, 'utf8')).step : 0;

const save = () => {
  writeFileSync(state, JSON.stringify({ step }));
  for (const { id } of agents) {
    writeFileSync(inside('checkpoints', `${id}-${String(step).padStart(6, '0')}.json`), '{}');
  }
};
process.on('SIGTERM', () => {
  save();
  process.exit(75);
});

while (step < spec.updates) {
  await new Promise((done) => setTimeout(done, Number(process.env.STAND_IN_UPDATE_MS ?? 20)));
  step += 1;
  if (step === Number(process.env.STAND_IN_FAIL_AT ?? -1)) {
    process.stderr.write('The disk is full (ENOSPC).\n');
    process.exit(1);
  }
  for (const { id } of agents) {
    const line = { step, agent: id, samples: step * spec.batch, values: { reward: step / spec.updates } };
    appendFileSync(inside('metrics.jsonl'), `${JSON.stringify(line)}\n`);
  }
  writeFileSync(inside('stage.json'), JSON.stringify({ stage: 'rollout' }));
  if (step === Number(process.env.STAND_IN_SAVE_AT ?? -1)) save();
}
save();
const problems = [
  { problemId: 'p', samples: [], chosenPasses: true, somePasses: true, distinctPrograms: 1, algorithms: [] },
];
const teams = agents.map(({ id }) => ({ agentIds: [id], nodes: 1, problems }));
writeFileSync(inside('evaluation.json'), JSON.stringify({ split: 'test', seed: spec.seed, teams }));
