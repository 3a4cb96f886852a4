import { planCopiesRoom, planMachineRoom } from '../../main/app/cleaning/room-plan';
import type {
  Answer,
  CommandName,
  Connection,
  DoctorCheck,
  Gpu,
  GpuProcess,
  MachineFile,
  MachineSpec,
  MachineView,
  Payload,
  PortForward,
  Refusal,
  Reservation,
  RoomItem,
  Value,
  WorkbenchEvent,
} from '../../preload/contract';
import { LOCAL_MACHINE } from '../../preload/contract';
import { sampleGpuDay } from './sample-gpu-day';
import { createSampleTerminals } from './sample-terminals';

type Handlers = { readonly [N in CommandName]?: (payload: Payload<N>) => Answer<Value<N>> };

export type SampleMachineOptions = {
  readonly machines: readonly MachineView[];
  /** Names of the user's ssh config. */
  readonly hosts?: readonly string[];
  /** Ports that are forwarded from the start. */
  readonly forwards?: readonly PortForward[];
  /** Shells that are there from the start, by machine and state. */
  readonly terminals?: readonly SampleTerminal[];
  /** Jobs are still there: removing is refused at first. */
  readonly busyMachineId?: string;
};
export type SampleTerminal = {
  readonly machineId: string;
  readonly state?: 'open' | 'detached' | 'ended';
  readonly durable?: boolean;
  /** Of ssh, before it is connected. */
  readonly isLogin?: boolean;
  readonly text?: string;
};

const MINUTE = 60_000;

function good<T>(value: T): Answer<T> {
  return { ok: true, value };
}

function refused(message: string, code: Refusal['code'] = 'not-found', hint?: string): Answer<never> {
  return { ok: false, error: { code, message, ...(hint === undefined ? {} : { hint }) } };
}

function before(minutes: number): string {
  return new Date(Date.now() - minutes * MINUTE).toISOString();
}

export const CONNECTED: Connection = { kind: 'connected', since: before(190) };
const FACTS = {
  hostname: 'gpu-a.lab.example',
  user: 'user1',
  home: '/home/user1',
  system: 'Linux 6.1 x86_64',
  cores: 96,
  memoryMib: 1_031_000,
  diskFreeMib: 812_000,
  diskTotalMib: 3_600_000,
} as const;

function process(
  user: string | null,
  memoryMib: number,
  command: string | null,
  minutes: number,
): GpuProcess {
  return { pid: 40_000 + memoryMib + minutes, user, command, memoryMib, startedAt: before(minutes) };
}

export function sampleGpu(index: number, change: Partial<Gpu> = {}): Gpu {
  return {
    id: `GPU-7d1e52c0-0000-4000-8000-00000000000${index}`,
    index,
    name: 'NVIDIA H100 80GB HBM3',
    vendor: 'nvidia',
    sliceOf: null,
    utilisation: 0,
    memoryUsedMib: 4,
    memoryTotalMib: 81_559,
    temperatureC: 33 + index,
    powerW: 71,
    powerLimitW: 700,
    problems: [],
    processes: [],
    ...change,
  };
}

function working(use: number, processes: readonly GpuProcess[]): Partial<Gpu> {
  return {
    utilisation: use,
    memoryUsedMib: processes.reduce((sum, { memoryMib }) => sum + (memoryMib ?? 0), 600),
    temperatureC: 52 + Math.round(use / 6),
    powerW: 120 + use * 5,
    processes: [...processes],
  };
}

const LAB_GPUS: readonly Gpu[] = [
  sampleGpu(
    0,
    working(97, [process('user1', 70_120, '/opt/conda/bin/python -m vllm serve Qwen/Qwen3-14B', 200)]),
  ),
  sampleGpu(
    1,
    working(94, [process('user1', 70_120, '/opt/conda/bin/python -m vllm serve Qwen/Qwen3-14B', 200)]),
  ),
  sampleGpu(
    2,
    working(100, [
      process('user2', 31_870, 'python train.py --config configs/marti/qwen3-8b-mars2.yaml --resume', 4_100),
      process('user2', 12_204, 'python eval.py', 12),
      process('user3', 8_410, 'jupyter-lab --no-browser', 9_000),
      process(null, 1_020, null, 9_000),
    ]),
  ),
  sampleGpu(3),
  sampleGpu(4),
  sampleGpu(5, working(3, [process('user3', 2_410, 'jupyter-lab', 9_400)])),
  sampleGpu(6),
  sampleGpu(7, {
    utilisation: null,
    memoryUsedMib: null,
    temperatureC: null,
    powerW: null,
    heldBack: 'XID 79',
    problems: [
      'It has fallen off the bus (XID 79): it comes back with a restart of the machine at the earliest.',
    ],
  }),
];

function slice(name: string, end: string, change: Partial<Gpu> = {}): Gpu {
  return {
    ...sampleGpu(1, { temperatureC: null, powerW: null, powerLimitW: null, utilisation: null }),
    id: `MIG-41a0c2be-0000-4000-8000-${end}`,
    index: null,
    name,
    sliceOf: sampleGpu(1).id,
    ...change,
  };
}

const MIXED_GPUS: readonly Gpu[] = [
  sampleGpu(0, {
    name: 'NVIDIA A100-SXM4-40GB',
    memoryTotalMib: 40_960,
    ...working(61, [process('user3', 22_000, 'python -m sglang.launch_server', 90)]),
  }),
  sampleGpu(1, {
    name: 'NVIDIA A100-SXM4-80GB',
    memoryTotalMib: 81_920,
    memoryUsedMib: 21_004,
    utilisation: null,
  }),
  slice('NVIDIA A100-SXM4-80GB MIG 3g.40gb', '00000000a1b2', {
    memoryTotalMib: 40_192,
    memoryUsedMib: 20_904,
    processes: [process('user1', 20_890, 'python probe.py', 34)],
  }),
  slice('NVIDIA A100-SXM4-80GB MIG 3g.40gb', '00000000c3d4', { memoryTotalMib: 40_192, memoryUsedMib: 10 }),
];

/** Readings of the last hour: the use swings, the memory climbs. */
function history(gpus: readonly Gpu[]): NonNullable<MachineView['gpus']>['history'] {
  return Object.fromEntries(
    gpus.map((gpu, card) => [
      gpu.id,
      Array.from({ length: 96 }, (_, at) => ({
        at: new Date(Date.now() - (96 - at) * 36_000).toISOString(),
        utilisation:
          gpu.utilisation === null || (card === 2 && at > 40 && at < 46)
            ? null
            : Math.max(0, Math.min(100, gpu.utilisation + 14 * Math.sin(at / (3 + card)) - 8)),
        memory:
          gpu.memoryUsedMib === null || gpu.memoryTotalMib === null
            ? null
            : (100 * gpu.memoryUsedMib * Math.min(1, (at + 20) / 60)) / gpu.memoryTotalMib,
      })),
    ]),
  );
}

export function sampleMachine(
  spec: MachineSpec,
  connection: Connection,
  change: Partial<MachineView> = {},
): MachineView {
  return { spec, connection, facts: null, gpus: null, reservations: [], ...change };
}

export const THIS_COMPUTER = sampleMachine({ kind: 'local', id: 'local', name: 'This computer' }, CONNECTED, {
  facts: {
    ...FACTS,
    hostname: 'laptop',
    cores: 8,
    memoryMib: 31_800,
    diskFreeMib: 81_000,
    diskTotalMib: 480_000,
  },
});

const KEPT: readonly Reservation[] = [
  { gpuId: sampleGpu(4).id, user: 'user3', note: 'demo at four', until: before(-90) },
  { gpuId: sampleGpu(6).id, user: 'user1', note: '', until: before(-2_000) },
];

export const GPU_MACHINE = sampleMachine(
  { kind: 'ssh', id: 'gpu-a', name: 'gpu-a', host: 'gpu-a' },
  CONNECTED,
  {
    facts: FACTS,
    gpus: {
      at: before(0),
      driver: '550.54.15',
      gpus: [...LAB_GPUS],
      problems: ['GPU 7 does not answer nvidia-smi: "Unable to determine the device handle".'],
      history: history(LAB_GPUS),
    },
    reservations: [...KEPT],
  },
);

/** One of each state, as a lab has them after a bad night. */
export function busyMachines(): readonly MachineView[] {
  return [
    THIS_COMPUTER,
    GPU_MACHINE,
    sampleMachine({ kind: 'ssh', id: 'gpu-b', name: 'gpu-b', host: 'user1@gpu-b.lab.example' }, CONNECTED, {
      facts: { ...FACTS, hostname: 'gpu-b.lab.example', cores: 64 },
      gpus: {
        at: before(0),
        driver: '535.161',
        gpus: [...MIXED_GPUS],
        problems: [],
        history: history(MIXED_GPUS),
      },
    }),
    sampleMachine(
      { kind: 'ssh', id: 'basement', name: 'basement', host: 'basement' },
      {
        kind: 'unreachable',
        since: before(42),
        lastSeenAt: before(42),
        message: 'Cannot reach basement: no route to host.',
        hint: 'Is this computer in the right network?',
        nextTryAt: new Date(Date.now() + 41_000).toISOString(),
      },
      {
        facts: { ...FACTS, hostname: 'basement' },
        gpus: {
          at: before(42),
          driver: '550.54.15',
          gpus: [...LAB_GPUS.slice(0, 4)],
          problems: [],
          history: {},
        },
      },
    ),
    sampleMachine(
      { kind: 'ssh', id: 'reborn', name: 'reborn', host: 'reborn' },
      {
        kind: 'unreachable',
        since: before(3),
        lastSeenAt: null,
        message:
          'The host key of reborn has changed: it was set up anew, or somebody answers in its place. It now shows SHA256:9mQ2vJ0rjX6zvDkYqR1m3s8c0b2Yw1mWvVq8f0T5oXk.',
        hint: 'Ask who runs reborn whether the key is right. Only then type: ssh-keygen -f ~/.ssh/known_hosts -R reborn',
        nextTryAt: null,
        refusal: 'host-key',
      },
    ),
    sampleMachine(
      {
        kind: 'slurm',
        id: 'cluster',
        name: 'University cluster',
        host: 'login1',
        defaults: { partition: 'gpu-long', account: 'mars', minutes: 2_880, options: '--qos=long' },
      },
      { kind: 'off' },
    ),
    sampleMachine(
      { kind: 'ssh', id: 'new-one', name: 'new-one', host: 'new-one' },
      {
        kind: 'connecting',
        since: before(0),
      },
    ),
  ];
}

/** The machine asks for a password now. */
export function machineAtLogin(name = 'vault', terminalId = 'terminal-1'): MachineView {
  return sampleMachine(
    { kind: 'ssh', id: name, name, host: name },
    { kind: 'needs-login', since: before(1), terminalId, prompt: `user1@${name}'s password:` },
  );
}

const LEARNER_CHECKS: readonly DoctorCheck[] = [
  {
    id: 'learner',
    title: 'Learner',
    state: 'bad',
    found: 'python3 has no torch.',
    todo: 'Make an environment with the packages: `mars2 machines prepare local --learner`.',
  },
];

const CHECKS: readonly DoctorCheck[] = [
  {
    id: 'shell',
    title: 'Login shell',
    state: 'good',
    found: 'bash; its start files print nothing.',
    todo: null,
  },
  {
    id: 'disk-home',
    title: 'Disk of the home folder',
    state: 'warning',
    found: '/home/user1: 9.1 GiB of 3.4 TiB free (/home).',
    todo: 'See what takes it: `du -xsh /home/user1/* | sort -h`. Weights of models often lie in ~/.cache/huggingface.',
  },
  {
    id: 'vllm',
    title: 'vLLM',
    state: 'bad',
    found: 'Not found in: system Python 3.10, conda env "marti".',
    todo: 'Install it into an environment of its own: `python3 -m venv ~/vllm && ~/vllm/bin/pip install vllm`',
  },
  {
    id: 'python',
    title: 'Python of jobs',
    state: 'good',
    found: 'Python 3.11.2 in /usr/bin/python3.',
    todo: null,
  },
  {
    id: 'clock',
    title: 'Clock',
    state: 'unknown',
    found: 'The machine did not answer within 10 s.',
    todo: null,
  },
  {
    id: 'detach',
    title: 'Jobs start detached',
    state: 'good',
    found: 'A process in a session of its own was started, seen and ended.',
    todo: null,
  },
  {
    id: 'sandbox',
    title: 'Sandbox for grading there',
    state: 'good',
    found: 'bubblewrap 0.8.0 starts /usr/bin/python3 in a sandbox.',
    todo: null,
  },
  {
    id: 'ray',
    title: 'Ray',
    state: 'good',
    found: 'Not installed.',
    todo: null,
    isAbsent: true,
  },
  { id: 'tmux', title: 'tmux', state: 'good', found: 'tmux 3.3a: terminals survive a cut.', todo: null },
  { id: 'forwarding', title: 'Forwarding', state: 'good', found: 'A forwarded port answers.', todo: null },
];

/** One of a machine, and one of a cluster's job that is being restored. */
export const SAMPLE_FORWARDS: readonly PortForward[] = [
  {
    ...{ id: 'gpu-a:6006', machineId: 'gpu-a', jobId: null, node: null, port: 6_006, localPort: 6_006 },
    ...{ since: before(12), brokenBy: null },
  },
  {
    ...{ id: 'gpu-a:job-9:8888', machineId: 'gpu-a', jobId: 'job-9', node: 'node17', port: 8_888 },
    ...{
      localPort: 41_872,
      since: before(3),
      brokenBy: 'The connection to node17 ended; it is opened again.',
    },
  },
];

const SAMPLE_HOME: MachineFile[] = [
  { name: 'MARTI', kind: 'folder', bytes: 0, changedAt: before(9_000) },
  { name: 'models', kind: 'folder', bytes: 0, changedAt: before(40_000) },
  { name: 'odd \u001b[2J name.txt', kind: 'file', bytes: 12, changedAt: before(300) },
  { name: 'old-run', kind: 'link', bytes: 0, changedAt: before(0) },
  { name: 'train.log', kind: 'file', bytes: 48_201_223, changedAt: before(1) },
];
const SAMPLE_FILES: Readonly<Record<string, MachineFile[]>> = {
  '~': SAMPLE_HOME,
  [FACTS.home]: SAMPLE_HOME,
  [`${FACTS.home}/models`]: [
    { name: 'Qwen3-0.6B', kind: 'folder', bytes: 0, changedAt: before(41_000) },
    { name: 'Qwen3-8B', kind: 'folder', bytes: 0, changedAt: before(42_000) },
  ],
  [`${FACTS.home}/MARTI`]: [],
};

/** Machines in memory: they connect and remember what is done to them, and their terminals echo. */
export function sampleMachineHandlers(
  options: SampleMachineOptions,
  emit: (...batch: readonly WorkbenchEvent[]) => void,
): Handlers {
  let machines = [...options.machines];
  let forwards = [...(options.forwards ?? [])];
  const find = (id: string): MachineView | undefined => machines.find(({ spec }) => spec.id === id);
  const put = (machine: MachineView): Answer<MachineView> => {
    const isKnown = find(machine.spec.id) !== undefined;
    machines = isKnown
      ? machines.map((one) => (one.spec.id === machine.spec.id ? machine : one))
      : [...machines, machine];
    emit({ kind: 'machine-changed', machine });
    return good(machine);
  };
  const become = (id: string, connection: Connection): Answer<null> => {
    const machine = find(id);
    if (machine === undefined) return refused(`There is no machine ${id}.`);
    put({ ...machine, connection });
    return good(null);
  };
  const hosts = options.hosts ?? ['gpu-a', 'gpu-b', 'basement', 'gateway', 'login1'];
  return {
    ...createSampleTerminals(options.terminals ?? [], (id) => find(id)?.spec.name ?? id, emit),
    'machine.list': () => good([...machines]),
    'machine.cluster': () =>
      good({
        name: 'university',
        version: '23.02.6',
        partitions: [
          {
            name: 'gpu',
            isDefault: true,
            isOpen: true,
            maxMinutes: 2_880,
            nodes: 12,
            idleNodes: 3,
            gpus: [{ type: 'h100', total: 48, free: 14 }],
          },
          {
            name: 'cpu',
            isDefault: false,
            isOpen: true,
            maxMinutes: null,
            nodes: 40,
            idleNodes: 22,
            gpus: [],
          },
        ],
        accounts: ['lab', 'course'],
      }),
    'machine.hosts': () =>
      good(
        hosts.map((host) => ({
          host,
          isAdded: machines.some(({ spec }) => spec.kind !== 'local' && spec.host === host),
        })),
      ),
    'machine.add': (spec) =>
      find(spec.id) === undefined
        ? put(sampleMachine(checkedSpec(spec), { kind: 'connecting', since: before(0) }))
        : refused(`There is already a machine ${spec.id}.`, 'conflict'),
    'machine.change': (spec) => {
      const machine = find(spec.id);
      return machine === undefined
        ? refused(`There is no machine ${spec.id}.`)
        : put({ ...machine, spec: checkedSpec(spec) });
    },
    'machine.remove': ({ machineId, anyway }) => {
      if (machineId === options.busyMachineId && anyway !== true) {
        return refused(
          'The job "Qwen3-14B" has not ended on this machine. After the removal it keeps running there, but the workbench no longer shows it.',
          'conflict',
          'Stop it first, or remove the machine anyway.',
        );
      }
      machines = machines.filter(({ spec }) => spec.id !== machineId);
      emit({ kind: 'machine-removed', machineId });
      return good(null);
    },
    'machine.connect': ({ machineId }) => become(machineId, CONNECTED),
    'machine.disconnect': ({ machineId }) => become(machineId, { kind: 'off' }),
    'machine.probe': ({ machineId }) => {
      const machine = find(machineId);
      return machine === undefined ? refused(`There is no machine ${machineId}.`) : good(machine);
    },
    'machine.forwards': () => good([...forwards]),
    'machine.forward': ({ machineId, port, jobId = null }) => {
      const forward: PortForward = {
        id: [machineId, ...(jobId === null ? [] : [jobId]), port].join(':'),
        ...{ machineId, jobId, node: null, port, localPort: port, since: before(0), brokenBy: null },
      };
      forwards = [...forwards, forward];
      emit({ kind: 'forwards-changed', forwards });
      return good(forward);
    },
    'machine.closeForward': ({ forwardId }) => {
      forwards = forwards.filter(({ id }) => id !== forwardId);
      emit({ kind: 'forwards-changed', forwards });
      return good(null);
    },
    'machine.files': ({ folder, prefix = '' }) => {
      const files = (SAMPLE_FILES[folder] ?? []).filter(({ name }) => name.startsWith(prefix));
      if (SAMPLE_FILES[folder] === undefined) return refused(`There is no ${folder} on gpu-a.`);
      return good({ folder: folder.replace(/^~/, FACTS.home), files, more: 0, unreadable: 0 });
    },
    'machine.readFile': ({ path, offset = 0 }) => {
      const text = `The text of ${path}\n`;
      const from = offset < 0 ? 0 : Math.min(offset, text.length);
      const piece = { text: text.slice(from), nextOffset: text.length, size: text.length };
      return good({ path, isBinary: false, ...piece });
    },
    'machine.chooseSavedFile': ({ path }) =>
      good({ path: `/home/lab/${path.split('/').at(-1)}`, bytes: 2_400_000 }),
    'machine.gpuDayResults': ({ machineId }) => good(machineId === 'gpu-a' ? sampleGpuDay() : null),
    'machine.room': ({ machineId }) => good(sampleRoom(machineId)),
    'machine.clean': ({ ids }) => good({ removed: ids.length, bytes: 1_300_000_000, problems: [] }),
    'machine.doctor': ({ learner }) => good(learner ? [...LEARNER_CHECKS] : [...CHECKS]),
    'machine.reserve': ({ machineId, gpuId, minutes, note }) => {
      const machine = find(machineId);
      if (machine === undefined) return refused(`There is no machine ${machineId}.`);
      const user = machine.facts?.user ?? 'user1';
      const others = machine.reservations.filter((one) => one.gpuId !== gpuId || one.user !== user);
      const own = { gpuId, user, note: note ?? '', until: before(-minutes) };
      return put({ ...machine, reservations: minutes === 0 ? others : [...others, own] });
    },
  };
}

/** A spec as it comes in a payload: what may be left out there is filled in. */
function checkedSpec(spec: Payload<'machine.add'>): MachineSpec {
  if (spec.kind !== 'slurm') return spec;
  const { partition = '', account = '', minutes = 1_440, options = '' } = spec.defaults;
  return { ...spec, defaults: { partition, account, minutes, options } };
}

/** What may go: nothing on this computer. */
function sampleRoom(machineId: string): Value<'machine.room'> {
  const nowMs = Date.now();
  if (machineId === LOCAL_MACHINE) return { items: [], kept: [...planCopiesRoom(new Map(), [], nowMs).kept] };
  const days = (count: number): string => new Date(nowMs - count * 86_400_000).toISOString();
  const jobs = ['Heter-MARS², seed 11', 'python eval.py --suite livecodebench', 'Qwen3-14B', 'sweep 12'];
  const folders = Array.from({ length: 9 }, (_, i): RoomItem => {
    const name = jobs[i % jobs.length] ?? '';
    const path = `jobs/0c3f${i}a71-62d4-4d0e-9b1c-5b5e7d1a20f${i}`;
    return {
      id: `j${i}`,
      kind: 'job-folder',
      label: name,
      path,
      bytes: 420_000_000 / (i + 1) ** 2,
      at: days(40 + i * 9),
    };
  }).map((item) => ({ ...item, bytes: Math.round(item.bytes) }));
  const programs = [
    'learner-9d41c07be2f81a35',
    'grader-1f0ab93c55de-3.11',
    'pocket-trainer-77aa01c9e4d2b3f6.mjs',
  ].map(
    (name, i): RoomItem => ({
      ...{ id: name, kind: 'program', label: `Older upload of ${name.split('-')[0]}`, path: `tools/${name}` },
      bytes: 1_800_000 - i * 500_000,
      at: days(20 + i),
    }),
  );
  const { kept } = planMachineRoom({ tools: [], jobs: new Map() }, [], { machineId, nowMs });
  return { items: [...folders, ...programs], kept: [...kept] };
}
