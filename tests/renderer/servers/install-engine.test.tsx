import { expect, it } from 'vitest';
import { serverLaunchSchema } from '../../../preload/contract';
import { LaunchesScreen } from '../../../renderer/servers';
import { EditLaunchScreen } from '../../../renderer/servers/launch-form';
import { renderScreen } from '../../support/rendered-screen';
import { THIS_COMPUTER } from '../../support/sample-machines';

it('who has no launches installs a small model with one press, and has its launch', async () => {
  const screen = await renderScreen(<LaunchesScreen launchId={null} />, {
    machines: { machines: [THIS_COMPUTER] },
  });
  expect(screen.text()).toContain('Without a GPU, begin with SmolLM2-135M on llama.cpp');
  await screen.click('Install llama.cpp and SmolLM2-135M');
  await screen.until('Launches 1');
  expect(screen.sample.calls.filter((name) => name === 'server.install')).toHaveLength(1);
});

it.each([
  ['llama-cpp', true],
  ['sglang', false],
] as const)('a plan that lacks %s offers to install it: %s', async (engine, canInstall) => {
  const saved = serverLaunchSchema.parse({
    ...{ id: 'l', name: 'L', engine, machineId: 'local', weights: '/models/a.gguf', model: 'a', gpus: 0 },
  });
  const screen = await renderScreen(<EditLaunchScreen saved={saved} />, {
    machines: { machines: [THIS_COMPUTER] },
  });
  await screen.until('choose its environment');
  const name = `Install llama.cpp on ${THIS_COMPUTER.spec.name}`;
  expect(screen.controls().includes(name)).toBe(canInstall);
  if (!canInstall) return;
  await screen.click(name);
  expect(screen.sample.calls).toContain('server.install');
});
