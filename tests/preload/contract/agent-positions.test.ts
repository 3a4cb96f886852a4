import { expect, test } from 'vitest';
import { agentPosition, agentPositions } from '../../../preload/contract/plans';
import { agentStyle } from '../../../renderer/theme';

const team = (configuration: string, ...names: string[]) => ({
  configuration,
  agents: names.map((name) => ({ name })),
});

const marks = (...teams: ReturnType<typeof team>[]) =>
  Object.fromEntries(
    [...agentPositions(teams)].map(([name, all]) => [
      name,
      all.map((position) => {
        const { shape, color } = agentStyle(position);
        return `${shape} ${color.at(-2)}`;
      }),
    ]),
  );

test('a mark has the colour of the model and a shape for its role, whatever else is shown', () => {
  const quickstart = [
    team('single', 'reader'),
    team('single-tracer', 'tracer'),
    team('homogeneous', 'reader as solver', 'reader as refiner'),
    team('heterogeneous', 'reader', 'tracer'),
  ];
  const all = marks(...quickstart);
  expect(all).toEqual({
    single: ['circle 1'],
    'single-tracer': ['square 2'],
    homogeneous: ['square 1', 'triangle 1'],
    heterogeneous: ['circle 1', 'square 2'],
  });
  for (const own of quickstart) expect(marks(own)).toEqual({ [own.configuration]: all[own.configuration] });
  expect(marks(...quickstart.toReversed())).toEqual(all);
});

test('models without a colour of their own take the first free one, in their order', () => {
  expect(marks(team('models', 'Qwen3', 'boba'), team('mixed', 'boba', 'reader'))).toEqual({
    models: ['square 2', 'triangle 3'],
    mixed: ['triangle 3', 'circle 1'],
  });
});

test('the agents of a team differ in shape, as long as there are shapes', () => {
  expect(marks(team('team', 'reader as solver', 'reader as refiner', 'tracer'))).toEqual({
    team: ['square 1', 'triangle 1', 'circle 2'],
  });
  expect(marks(team('twice', 'a', 'a'))).toEqual({ twice: ['circle 1', 'square 1'] });
  const five = marks(team('five', 'a', 'b', 'c', 'd', 'e')).five ?? [];
  expect(new Set(five.slice(0, 4).map((mark) => mark.split(' ')[0])).size).toBe(4);
});

test('an agent of a training looks as in a study', () => {
  const agents = ['tracer', 'reader'].map((id) => ({ id, name: id }));
  expect(agents.map(({ id }) => agentPosition(agents, id))).toEqual([1, 0]);
  expect(agentPosition(agents, null)).toBe(0);
});
