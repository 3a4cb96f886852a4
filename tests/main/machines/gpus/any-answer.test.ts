import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readProbe } from '../../../../main/machines/logic/probe/machine-reading';
import { gpuSchema, machineFactsSchema, reservationSchema } from '../../../../preload/contract';

const FIELDS =
  'index,uuid,name,utilization.gpu,memory.used,memory.total,power.draw,pci.bus_id,mig.mode.current';

const oddCell = fc.oneof(
  fc.constantFrom(
    '',
    '0',
    '1',
    '-1',
    '1.5',
    '101',
    '99999999999999999999',
    '[N/A]',
    'ERR!',
    '1e9',
    'GPU-a',
    '0x40',
    'Enabled',
    'No',
    '12 MiB',
    'NaN',
    '∞',
  ),
  fc.string({ maxLength: 12 }),
);
const rowsOf = (cells: number) =>
  fc
    .array(
      fc.array(oddCell, { minLength: cells, maxLength: cells }).map((row) => row.join(', ')),
      { maxLength: 4 },
    )
    .map((rows) => rows.join('\n'));
const oddJson = fc.oneof(
  fc.json({ maxDepth: 4 }),
  fc
    .record({
      gpu: fc.oneof(fc.nat(3), fc.constant(-1), fc.constant(1.5)),
      uuid: fc.constantFrom('a', '', 'N/A'),
      usage: fc.record({ gfx_activity: fc.anything() }),
      mem_usage: fc.anything(),
      process_list: fc.array(
        fc.record({
          process_info: fc.record({ pid: fc.oneof(fc.double(), fc.string()), name: fc.string() }),
        }),
      ),
    })
    .map((item) => safeJson([item])),
  fc.string(),
);
const section = (name: string, text: fc.Arbitrary<string>, note: fc.Arbitrary<string> = fc.constant('')) =>
  fc
    .tuple(fc.constantFrom(0, 1, 124, 127), note, text)
    .map(
      ([code, said, body]) => `@ ${name} ${code} ${said.replaceAll('\n', ' ')}\n${body.replace(/^/gm, '|')}`,
    );

const output = fc
  .tuple(
    section(
      'clock',
      fc.constantFrom('now=1700000000\nuptime=12.5\n[ 1.5] NVRM: Xid (PCI:0000:00:00): 79, x', '', 'now=x'),
    ),
    section('facts', fc.constantFrom('hostname=a\nuser=b\nhome=/c\ncores=0\nmemory=x', 'hostname=a', '')),
    section('disk', fc.oneof(fc.string(), fc.constant('fs 10 5 -5 110% /home'))),
    section('nvidia.query', rowsOf(9), fc.constantFrom(FIELDS, '', 'index')),
    section(
      'nvidia.list',
      fc.constantFrom('', 'GPU 0: x (UUID: GPU-a)\n  MIG 1g.5gb Device 0: (UUID: MIG-a)'),
    ),
    section(
      'nvidia.xml',
      fc.oneof(fc.string(), fc.constant('<gpu id="0"><uuid>GPU-a</uuid><mig_device><index>9')),
    ),
    section('nvidia.processes', fc.oneof(rowsOf(3), rowsOf(4))),
    section('amd.list', oddJson),
    section('amd.static', oddJson),
    section('amd.metric', oddJson),
    section('amd.process', oddJson),
    section('reservation.file', fc.string(), fc.constant('0 -rw-r--r-- 1 0 0 12 Jan 1 00:00 /x')),
    section('processes', rowsOf(4)),
  )
  .chain((sections) => fc.subarray(sections))
  .map((sections) => sections.join('\n'));

test('for any answer of a machine, the reading has the shape of the contract', () => {
  fc.assert(
    fc.property(output, (text) => {
      const reading = readProbe(text, 1_700_000_000, (seconds) => new Date(seconds * 1_000).toISOString());
      for (const gpu of reading.gpus?.gpus ?? []) expect(gpuSchema.safeParse(gpu).error).toBeUndefined();
      for (const one of reading.reservations) expect(reservationSchema.safeParse(one).error).toBeUndefined();
      if (reading.facts !== null) expect(machineFactsSchema.safeParse(reading.facts).error).toBeUndefined();
    }),
    { numRuns: 2_000, seed: 7 },
  );
});

function safeJson(value: unknown): string {
  return JSON.stringify(value, (_, inner) => (typeof inner === 'bigint' ? String(inner) : inner)) ?? '';
}
