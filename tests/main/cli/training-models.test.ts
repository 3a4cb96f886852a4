import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { dispatcher } from '../../../main/app/dispatch';
import { Emitter } from '../../../main/base';
import type { TrainingPlan, TrainingRequest, TrainingView, WorkbenchEvent } from '../../../preload/contract';
import { trainingRequestSchema } from '../../../preload/contract';
import { orderedTraining } from '../../support/sample-requests';
import { temporaryFolder } from '../../support/temporary-folder';
import { typeCommand } from '../../support/typed-command';

const PLAN: TrainingPlan = {
  commandLine: 'node model-trainer.cjs',
  gpus: 0,
  notes: ['2 learners.'],
  problems: [],
  checks: [],
  estimateSeconds: null,
};

/** What a command asks the workbench, and what it prints. */
async function typed(words: readonly string[], plan: TrainingPlan = PLAN) {
  const planned: TrainingRequest[] = [];
  const started: TrainingRequest[] = [];
  const view: TrainingView = orderedTraining('model');
  const call = dispatcher(
    {
      'machine.learner': async ({ machineId }) => ({
        ok: true,
        value: { python: machineId === 'gpu1' ? '/lab/learner/bin/python' : null },
      }),
      'training.plan': async ({ request }) => {
        planned.push(trainingRequestSchema.parse(request));
        return { ok: true, value: plan };
      },
      'training.start': async (request) => {
        started.push(trainingRequestSchema.parse(request));
        return { ok: true, value: view };
      },
    },
    (error) => {
      throw error;
    },
  );
  const printed = await typeCommand({ call, events: new Emitter<WorkbenchEvent>() }, 'trainings', ...words);
  return { ...printed, planned, started };
}

const MODEL = ['model', '--agent', 'a=/m/SmolLM2', '--agent', 'b=~/q.gguf{max-tokens=512, thinking=off}'];
const ORDER = [...MODEL, '--benchmark', 'mbpp'];

async function specOf(...words: readonly string[]) {
  const { planned, err } = await typed(['plan', ...ORDER, ...words]);
  const [request] = planned;
  if (request?.spec.kind !== 'model') throw new Error(err);
  return request.spec;
}

describe('a training of language models in the terminal', () => {
  it("has the Python of the machine's prepared environment, unless one is named", async () => {
    expect((await specOf('--machine', 'gpu1')).python).toBe('/lab/learner/bin/python');
    expect((await specOf('--machine', 'gpu1', '--python', '/own')).python).toBe('/own');
    expect((await specOf()).python).toBe('python3');
  });

  it('takes agents and a benchmark, and the defaults of the contract for the rest', async () => {
    expect(await specOf()).toEqual(
      trainingRequestSchema.parse({
        name: 'x',
        machineId: 'local',
        spec: {
          kind: 'model',
          method: 'heter-mars2',
          agents: [
            { id: 'a', model: '/m/SmolLM2' },
            { id: 'b', model: '~/q.gguf', maxTokens: 512, thinking: false },
          ],
          problems: { benchmarkId: 'mbpp' },
        },
      }).spec,
    );
  });

  it('reads every other setting by its option or by its name', async () => {
    const options = [
      ...['--method', 'rs2', '--seed', '7', '--updates', '40', '--trees', '4', '--rate', '2e-6'],
      ...['--lora', '8', '--lora-alpha', '16', '--evaluation-problems', '50', '--evaluate-every', '5'],
      ...['--device', 'cuda', '--dtype', 'bfloat16', '--processes', '2', '--threads', '3'],
      ...[
        '--python',
        '/opt/env/bin/python3',
        '--set',
        'objective.kl.coefficient=0',
        '--set',
        'oldFrom=sampled',
      ],
    ];
    expect(await specOf(...options)).toMatchObject({
      ...{ method: 'rs2', seed: 7, updates: 40, treesPerRound: 4, rate: 2e-6 },
      lora: { rank: 8, alpha: 16 },
      evaluation: { problems: 50, every: 5, nodes: 16, samples: 8, on: null },
      ...{ device: 'cuda', dtype: 'bfloat16', processes: 2, threads: 3, python: '/opt/env/bin/python3' },
      objective: { kl: { coefficient: 0 } },
      oldFrom: 'sampled',
    });
    expect((await specOf('--lora', 'off')).lora).toBeNull();
  });

  it('takes problems by id or from a file, of the evaluation too', async () => {
    const file = join(await temporaryFolder(), 'ids.txt');
    await writeFile(file, 'one, two\n\nthree\none, two\n');
    const spec = await specOf(
      ...['--problems', 'mbpp/2,mbpp/3', '--evaluate-on', `humaneval:${file}`],
      ...['--evaluation-sampling', 'temperature=0.6', '--evaluation-sampling', 'top-k=20'],
    );
    expect(spec.problems).toEqual({ benchmarkId: 'mbpp', problemIds: ['mbpp/2', 'mbpp/3'] });
    expect(spec.evaluation).toMatchObject({
      on: { benchmarkId: 'humaneval', problemIds: ['one, two', 'three'] },
      sampling: { temperature: 0.6, topK: 20 },
    });
  });

  it('with --plan prints the plan, also as JSON, and starts nothing', async () => {
    const { out, started, code } = await typed(['start', ...ORDER, '--plan']);
    expect(out).toContain(
      'node model-trainer.cjs\n\nHow long it takes is known once one like it has run.\n- 2 learners.',
    );
    expect([started, code]).toEqual([[], 0]);
    const json = await typed(['start', ...ORDER, '--plan', '--json']);
    expect(JSON.parse(json.out)).toEqual(PLAN);
    const refused = await typed(['start', ...ORDER, '--plan'], { ...PLAN, problems: ['No such model.'] });
    expect([refused.code, refused.started]).toEqual([1, []]);
  });

  it('starts what it plans', async () => {
    const { started, planned, err } = await typed(['start', ...ORDER, '--machine', 'gpu1']);
    expect(started).toMatchObject([{ machineId: 'gpu1', name: 'Language models', spec: { kind: 'model' } }]);
    expect(planned).toEqual([]);
    expect(err).toContain('It continues when this command ends.');
  });

  it.each<[readonly string[], RegExp]>([
    [['model', '--benchmark', 'mbpp'], /--agent is missing/],
    [MODEL, /--benchmark is missing/],
    [[...ORDER, '--agent', 'model'], /--agent takes NAME=MODEL.*not "model"/],
    [[...ORDER, '--agent', 'c=/m{role=solver}'], /--agent takes .*not "role=solver"/],
    [[...ORDER, '--agent', 'Big Model=/m'], /--agent takes .* id is not an id: use a-z/],
    [[...ORDER, '--agent', 'c=/m{max-tokens=0}'], /--agent takes .* maxTokens is below 1/],
    [[...ORDER, '--updates', '0'], /--updates: a whole number from 1 to 100,000, not "0"/],
    [[...ORDER, '--device', 'tpu'], /--device is auto or cuda or cpu, not "tpu"/],
    [[...ORDER, '--lora', 'small'], /--lora: a whole number from 1 to 1,024, not "small"/],
    [[...ORDER, '--lora', 'off', '--lora-alpha', '8'], /does not belong to --lora off/],
    [[...ORDER, '--set', 'problems=3'], /no setting "problems"/],
    [[...ORDER, '--set', 'objective.kl.coefficient=99'], /--set objective\.kl\.coefficient: a number from 0/],
    [[...ORDER, '--measure-problems', '1'], /--measure-problems: a whole number from 2 to 2,000, not "1"/],
    [[...ORDER, '--pass-at-1', '10-80'], /--measure-problems: enter how many problems to measure/],
    [[...ORDER, '--measure-problems', '9', '--pass-at-1', '80-10'], /--pass-at-1 is a range of percent/],
    [[...ORDER, '--measure-problems', '9', '--pass-at-1', '10-800'], /such as 10-80, not "10-800"/],
    [[...ORDER, '--evaluate-before', 'maybe'], /--evaluate-before is true or false, not "maybe"/],
    [[...ORDER, '--problems', ','], /"," names no problems/],
    [[...ORDER, '--evaluation-sampling', 'heat=1'], /--evaluation-sampling takes NAME=VALUE/],
    [[...ORDER, '--evaluation-sampling', 'top-p=2'], /top-p is a number from 0.001 to 1/],
    [[...ORDER, '--families', 'reader'], /unknown option '--families'/],
  ])('%j is wrong usage', async (words, message) => {
    const { code, err, started } = await typed(['start', ...words]);
    expect([code, started]).toEqual([2, []]);
    expect(err).toMatch(message);
  });

  it('chooses problems by their measured Pass@1, and is evaluated before it, where that is asked for', async () => {
    const plain = await specOf();
    expect([plain.problems, plain.evaluation.before]).toEqual([
      { benchmarkId: 'mbpp', problemIds: null },
      undefined,
    ]);
    const measured = await specOf('--measure-problems', '60', '--evaluate-before', 'true');
    expect(measured.problems.choose).toEqual({ measured: 60, samples: 8, from: 0.1, to: 0.8 });
    expect(measured.evaluation.before).toBe(true);
    const range = ['--measure-samples', '16', '--pass-at-1', '12.5-60', '--problems', 'p1,p2'];
    expect((await specOf('--measure-problems', '60', ...range)).problems).toEqual({
      ...{ benchmarkId: 'mbpp', problemIds: ['p1', 'p2'] },
      choose: { measured: 60, samples: 16, from: 0.125, to: 0.6 },
    });
  });

  it('has its defaults in the help, and every setting with its values in the list of settings', async () => {
    const { out } = await typed(['start', 'model', '--help']);
    for (const text of [
      'how many optimiser steps each agent makes (default: 20)',
      'how many problems it is evaluated on; 0 does not evaluate (default: 20)',
      'warm-up (default: 0.00001)',
      '--plan',
    ])
      expect(out.replace(/\s+/g, ' ')).toContain(text);
    const settings = await typed(['settings', '--of', 'model']);
    expect(settings.out).toContain('  lora.rank (16)\n      Rank (1 to 1024).');
    expect(settings.out).toContain('  objective.kl.coefficient (0.001)');
    expect((await typed(['settings', '--of', 'pocket'])).out).toContain('  evaluation.split (test)');
  });
});
