import { expect, test } from 'vitest';
import { ownNodeRuntime } from '../../../main/app/node-runtime';

test("an installed mars2 starts its programs by Electron's Node, that of a checkout by its own", () => {
  const versions = { ...process.versions, electron: '33.2.1' };
  expect(ownNodeRuntime({ execPath: '/opt/it', versions })).toEqual({
    command: '/opt/it',
    env: { ELECTRON_RUN_AS_NODE: '1' },
  });
  expect(ownNodeRuntime({ execPath: '/bin/node', versions: process.versions })).toEqual({
    command: '/bin/node',
    env: {},
  });
});
