import { expect, test } from 'vitest';
import { agentPositions } from '../../../../renderer/shared/studies/agent-positions';

const team = (configuration: string, ...names: string[]) => ({
  configuration,
  agents: names.map((name) => ({ name })),
});
const positions = (...teams: ReturnType<typeof team>[]) => Object.fromEntries(agentPositions(teams));

test('an agent looks the same in every team, and no other one like it', () => {
  expect(
    positions(
      team('single', 'reader'),
      team('single-tracer', 'tracer'),
      team('homogeneous', 'reader as solver', 'reader as refiner'),
      team('heterogeneous', 'reader', 'tracer'),
    ),
  ).toEqual({ single: [0], 'single-tracer': [1], homogeneous: [2, 3], heterogeneous: [0, 1] });
});

test('no two agents of a team look the same', () => {
  expect(positions(team('first', 'a', 'b'), team('second', 'b', 'c'), team('third', 'a', 'c'))).toEqual({
    first: [0, 1],
    second: [1, 2],
    third: [0, 2],
  });
  expect(positions(team('twice', 'a', 'a'))).toEqual({ twice: [0, 1] });
  // The fifth name looks like the first; beside it, it takes what is free.
  const four = team('four', 'a', 'b', 'c', 'd');
  expect(positions(four, team('fifth', 'e', 'a'))).toEqual({ four: [0, 1, 2, 3], fifth: [0, 1] });
});
