import { describe, expect, test } from 'vitest';
import { newRecord } from '../../../../../main/plans/logic/reproductions/record';
import { withStandIns } from '../../../../../main/plans/logic/reproductions/stored-plan';
import { serverSpec } from '../../../../../main/plans/logic/reproductions/team';
import type { SearchWork } from '../../../../../main/plans/logic/reproductions/work';
import { builtInExhibit, planOf, workOf } from '../../../../support/plan-inputs';

const EXHIBITS = [
  'homogeneous',
  'heterogeneous-pass1',
  'mars2-systems',
  't-plus-ablation',
  'learning-curves',
];

describe.each(EXHIBITS)('the pocket plan of %s', (id) => {
  const exhibit = builtInExhibit(id);
  const planned = planOf(exhibit, 'pocket');
  const names = exhibit.models.flatMap(({ id: word, name }) => [word, name]);
  /** Without what stands behind "in the place of". */
  const named = (text: string): string => text.replaceAll(/, in the place of [^,()]+/g, '');

  test('names what answers first in every title and detail', () => {
    for (const { title, detail } of planned.plan.steps) {
      for (const name of names) expect(named(`${title} ${detail}`)).not.toContain(name);
    }
    const [training] = workOf(planned, 'train');
    expect(training?.order.name).toMatch(/^Train [^,]+, [a-z-]+( \+ [a-z-]+)*, in the place of .+, seed 11$/);
  });

  test('gives runs, agents and servers the names of the stand-ins', () => {
    for (const { configuration, servers } of workOf(planned, 'search') as SearchWork[]) {
      const specs = servers.map((server) => serverSpec(server, null));
      for (const name of names) expect(`${configuration} ${JSON.stringify(specs)}`).not.toContain(name);
    }
  });
});

test('at paper scale the models keep their names', () => {
  const exhibit = builtInExhibit('mars2-systems');
  const titles = planOf(exhibit, 'paper').plan.steps.map(({ title }) => title);
  expect(titles.join('\n')).toContain('Qwen3-8B + AReaL-8B');
  expect(titles.join('\n')).not.toContain('in the place of');
});

test('a plan that was kept before stand-ins had names shows them, and one of today is left as it is', () => {
  const exhibit = builtInExhibit('mars2-systems');
  const { plan, work, unmeasured } = planOf(exhibit, 'pocket');
  const record = newRecord(
    { id: 'r', exhibit, request: plan.order, createdAt: '2026-01-01T00:00:00.000Z' },
    plan,
    work,
  );
  const today = { record, plan, work, unmeasured };
  expect(withStandIns(today)).toEqual(today);
  const step = plan.steps.find(({ kind }) => kind === 'train');
  const search = workOf(today, 'search')[0];
  if (step === undefined || search === undefined) throw new Error('The plan trains and searches');
  const old = withStandIns({
    ...today,
    plan: {
      ...plan,
      steps: [{ ...step, title: 'Train Heter-MARS², Qwen3-8B + AReaL-8B, seed 11' }],
    },
    work: new Map([['search', { ...search, configuration: 'Qwen3-8B + AReaL-8B, base' }]]),
  });
  expect(old.plan.steps[0]?.title).toBe(
    'Train Heter-MARS², reader + tracer, in the place of Qwen3-8B + AReaL-8B, seed 11',
  );
  expect(old.work.get('search')).toMatchObject({ configuration: 'reader + tracer, base' });
});
