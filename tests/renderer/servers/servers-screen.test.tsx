import { expect, test } from 'vitest';
import { ServersScreen } from '../../../renderer/servers';
import { SCENES } from '../../support/preview/scenes';
import { renderScreen } from '../../support/rendered-screen';

test('without servers it says where the logs of those are that studies have used', async () => {
  const screen = await renderScreen(<ServersScreen serverId={null} LogPane={() => null} />, SCENES.first);
  await screen.until('No servers');
  expect(screen.text()).toContain("A study's servers leave this list when the program is closed");
  expect(screen.controls()).toContain('Jobs');
});
