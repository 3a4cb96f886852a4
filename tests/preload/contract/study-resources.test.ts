import { expect, test } from 'vitest';
import { launchServer, pocketServer, type ServerSpec, urlServer } from '../../../preload/contract';
import { resourceConflict } from '../../../preload/contract/plans/study-resources';
import { sampleConfig } from '../../support/sample-run';

const pocket = (machineId?: string): ServerSpec =>
  pocketServer('reader', {
    checkpointSeed: 1,
    latencyMs: 0,
    ...(machineId === undefined ? {} : { machineId }),
  });

function running(...servers: ServerSpec[]) {
  const config = sampleConfig();
  return [{ name: 'Other', runs: [{ ...config, team: { ...config.team, servers } }] }];
}

test.each<[string, ServerSpec, ServerSpec]>([
  ['on this computer', pocket(), pocket('local')],
  ['on the machine "gpu-1"', pocket('gpu-1'), pocket('gpu-1')],
  ['with the server "qwen"', launchServer('qwen'), launchServer('qwen')],
  ['with the server at http://a/v1', urlServer('http://a/v1', 'm1'), urlServer('http://a/v1', 'm2')],
])('two studies %s conflict', (relation, own, other) => {
  expect(resourceConflict([own], running(other))?.message).toContain(`"Other" is running ${relation}.`);
});

test.each<[string, ServerSpec, ServerSpec]>([
  ['machines', pocket(), pocket('gpu-1')],
  ['launches', launchServer('qwen'), launchServer('areal')],
  ['external servers', urlServer('http://a/v1', 'm'), urlServer('http://b/v1', 'm')],
  ['kinds of servers', pocket(), urlServer('http://a/v1', 'm')],
])('two studies with different %s run side by side', (_, own, other) => {
  expect(resourceConflict([own], running(other))).toBeNull();
});
