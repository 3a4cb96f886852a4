import { expect, test } from 'vitest';
import { agentPositions } from '../../../renderer/compare/agent-positions';

const team = (configuration: string, ...names: string[]) => ({
  configuration,
  agents: names.map((name) => ({ name })),
});
const positions = (...teams: ReturnType<typeof team>[]) => Object.fromEntries(agentPositions(teams));

test('an agent alone looks as in the team of several', () => {
  expect(
    positions(
      team('single', 'reader'),
      team('single-tracer', 'tracer'),
      team('homogeneous', 'reader as solver', 'reader as refiner'),
      team('heterogeneous', 'reader', 'tracer'),
    ),
  ).toEqual({ single: [0], 'single-tracer': [1], homogeneous: [0, 1], heterogeneous: [0, 1] });
});

test('no two agents of a team look the same', () => {
  expect(positions(team('first', 'a', 'b'), team('second', 'b', 'c'), team('third', 'a', 'c'))).toEqual({
    first: [0, 1],
    second: [1, 0],
    third: [0, 1],
  });
  expect(positions(team('twice', 'a', 'a'))).toEqual({ twice: [0, 1] });
});
