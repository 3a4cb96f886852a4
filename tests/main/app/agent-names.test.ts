import { expect, test } from 'vitest';
import { withAgentNames } from '../../../main/app/handlers/agent-names';
import {
  heterogeneousTeam,
  homogeneousTeam,
  launchServer,
  pocketServer,
  recordedServer,
  singleTeam,
} from '../../../preload/contract/plans';
import type { Team } from '../../../preload/contract/team';

const recordings = [
  { id: 'beta', name: 'beta-模型' },
  { id: 'gamma', name: 'tiny' },
];
const launches = [{ id: 'launch-7', name: 'tiny' }];

function namesOf(team: Team): string[] {
  const request = { configurations: [{ configuration: 'a', team }] };
  const { configurations } = withAgentNames(request, recordings, launches);
  expect(configurations[0]?.team.agents.map(({ id }) => id)).toEqual(team.agents.map(({ id }) => id));
  return (configurations[0]?.team.agents ?? []).map(({ name }) => name);
}

test('agents are called as lists call their recordings and launches, with the same ids', () => {
  expect(namesOf(singleTeam(recordedServer('beta')))).toEqual(['beta-模型']);
  expect(namesOf(homogeneousTeam(recordedServer('beta')))).toEqual([
    'beta-模型 as solver',
    'beta-模型 as refiner',
  ]);
  expect(namesOf(heterogeneousTeam([launchServer('launch-7'), pocketServer('reader')]))).toEqual([
    'tiny',
    'reader',
  ]);
  // Unknown ones, and those that would then be alike, keep their ids.
  expect(namesOf(singleTeam(recordedServer('gone')))).toEqual(['gone']);
  expect(namesOf(heterogeneousTeam([launchServer('launch-7'), recordedServer('gamma')]))).toEqual([
    'launch-7',
    'gamma',
  ]);
});
