import { expect, test } from 'vitest';
import { ServersScreen } from '../../../renderer/servers';
import { SCENES } from '../../support/preview/scenes';
import { renderScreen } from '../../support/rendered-screen';

test('without servers it says where the logs of those are that have ended', async () => {
  const screen = await renderScreen(<ServersScreen serverId={null} LogPane={() => null} />, SCENES.first);
  await screen.until('No servers');
  expect(screen.text()).toContain('The last ones that have ended stay in this list');
  expect(screen.controls()).toContain('Jobs');
});
