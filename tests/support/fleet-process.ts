// A program of its own with a connected fleet, for tests that kill it: node SCRIPT CONTROL_FOLDER CONFIG HOST.
// Says "ready PID", the number of a process that is attached on the machine.
import { once } from 'node:events';
import { ok } from '../../main/base/index';
import { createMachineFleet } from '../../main/machines/index';
import { emptyRegistry, type RegistryData } from '../../main/storage/index';

const [controlFolder = '', config = '', host = ''] = process.argv.slice(2);
const data: RegistryData = {
  ...emptyRegistry,
  machines: [...emptyRegistry.machines, { kind: 'ssh', id: 'lab', name: 'Lab', host }],
};
const fleet = createMachineFleet({
  registry: { read: () => data, update: async () => ok(data) },
  controlFolder,
  localHome: '/nonexistent',
  offerLogin: () => ({ terminalId: '', dispose: () => undefined }),
  clock: { now: () => Date.now() },
  ssh: { program: 'ssh', args: ['-F', config] },
});
const machine = fleet.get('lab');
if (!machine.ok) throw new Error(machine.error.message);
const forward = await machine.value.forward(9);
const attached = await machine.value.spawn('sh', ['-c', 'trap "" HUP PIPE; echo $$; sleep 1000; sleep 1000']);
if (!attached.ok || !forward.ok) throw new Error('Nothing could be started');
const [pid] = await once(attached.value.stdout, 'data');
process.stdout.write(`ready ${String(pid)}`);
if (process.argv[5] === 'dispose') {
  attached.value.kill();
  await fleet.dispose();
}
