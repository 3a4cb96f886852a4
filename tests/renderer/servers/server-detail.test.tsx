import { expect, it } from 'vitest';
import { ServersScreen } from '../../../renderer/servers';
import { SCENES } from '../../support/preview/scenes';
import { renderScreen } from '../../support/rendered-screen';
import { SAMPLE_SERVICE } from '../../support/sample-workbench';

it('the address of a server says whose it is where the window shows the service of a machine', async () => {
  const open = async (through: string | null) => {
    const service = { ...SAMPLE_SERVICE, kind: 'service', through } as const;
    const screen = await renderScreen(<ServersScreen serverId="server-qwen" LogPane={() => null} />, {
      ...SCENES.lab,
      service,
    });
    await screen.until('http://127.0.0.1');
    return screen.text();
  };
  expect(await open(null)).not.toContain('on gpu-login');
  expect(await open('gpu-login')).toMatch(/http:\/\/127\.0\.0\.1:\d+\/v1 on gpu-login/);
});
