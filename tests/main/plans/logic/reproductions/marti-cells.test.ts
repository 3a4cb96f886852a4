import { describe, expect, test } from 'vitest';
import {
  martiOutputNote,
  notByMartiReason,
} from '../../../../../main/plans/logic/reproductions/training-requests';
import { paperSettingsSchema } from '../../../../../preload/contract';
import { builtInExhibit, planOf, workOf } from '../../../../support/plan-inputs';

const RELEASED = { notTrainedReason: notByMartiReason };
const MARTI = paperSettingsSchema.parse({ trainer: 'marti' });

describe('cells that MARTI as released would fill with something else', () => {
  test.each(['homogeneous', 'heterogeneous-pass1', 'mars2-systems', 't-plus-ablation', 'learning-curves'])(
    'are not planned in %s: only RS² is trained, and each other cell says why not',
    (id) => {
      const exhibit = builtInExhibit(id);
      const planned = planOf(exhibit, 'paper', { order: { paper: MARTI }, inputs: RELEASED });
      for (const { order } of workOf(planned, 'train')) {
        expect(order.spec).toMatchObject({ kind: 'marti', preset: 'single' });
      }
      const methodOf = (key: string) => {
        const cell = exhibit.cells.find(({ row, column }) => `${row}.${column}` === key);
        const line = exhibit.series.find((one) => one.id === key);
        const configuration = cell?.configuration ?? line?.configuration;
        return exhibit.configurations.find((one) => one.id === configuration)?.method;
      };
      const refused = [...planned.unmeasured].filter(
        ([key]) => notByMartiReason(methodOf(key) ?? 'base') !== null,
      );
      expect(refused.length).toBeGreaterThan(0);
      for (const [, why] of refused) expect(why).toMatch(/MARTI|reward model/);
      const notes = planned.plan.notes.join('\n');
      for (const [, why] of refused) expect(notes).toContain(why);
    },
  );

  test('are counted in the first note, by method', () => {
    const { plan } = planOf(builtInExhibit('homogeneous'), 'paper', {
      order: { paper: MARTI },
      inputs: RELEASED,
    });
    expect(plan.notes[0]).toBe(
      'MARTI as released trains only RS²: of 45 cells 15 can be measured (15 of Base), the others (15 of Vanilla GRPO, 15 of Homo-MARS²) cannot, unless you name checkpoints or let our trainer train ("trainer": "own").',
    );
    expect(plan.notes[1]).toMatch(/^Not measured \(15 cells\): /);
  });

  test('are measured where the lab names checkpoints that were trained so', () => {
    const paper = paperSettingsSchema.parse({
      trainer: 'marti',
      checkpoints: [{ modelId: 'qwen3-8b', method: 'grpo', trainedWith: ['qwen3-8b'], path: '/models/grpo' }],
    });
    const only = ['qwen3-8b-grpo.pass-1', 'areal-8b-grpo.pass-1'];
    const { unmeasured } = planOf(builtInExhibit('homogeneous'), 'paper', {
      order: { paper, only },
      inputs: RELEASED,
    });
    expect([...unmeasured.keys()]).toEqual(['areal-8b-grpo.pass-1']);
  });

  test('say what would stand in them', () => {
    expect(notByMartiReason('grpo')).toMatch(/mixes answers to different problems in one group/);
    expect(notByMartiReason('homo-mars2')).toMatch(/trains RS² in its place/);
    expect(notByMartiReason('heter-mars2')).toMatch(/MARS² without shaping/);
    expect(notByMartiReason('rs2')).toBeNull();
    expect(notByMartiReason('base')).toBeNull();
  });

  test('say so too where they were filled before', () => {
    const trained = workOf(
      planOf(builtInExhibit('homogeneous'), 'paper', { order: { paper: MARTI } }),
      'train',
    );
    const made = trained.map(({ order }) =>
      order.spec.kind === 'marti' ? martiOutputNote(order.spec) : null,
    );
    expect(new Set(made)).toEqual(
      new Set([
        'MARTI as released mixes answers to different problems in one group, so their advantage is not that of GRPO.',
        'MARTI as released makes one agent of all roles and sends no role prompt, so it trains RS² in its place.',
      ]),
    );
  });
});
