import { existsSync, readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createMachineMonitor } from '../../../../main/machines';
import { MAX_READINGS, withReading } from '../../../../main/machines/logic/gpus/history';
import { cellNumber, readNvidiaRow } from '../../../../main/machines/logic/gpus/nvidia-fields';
import type { Gpu, GpuReading } from '../../../../preload/contract';
import { SHARED_DATA } from '../../../support/shared-samples';
import { smallFleet } from '../../../support/small-fleet';
import { toolBench } from '../../../support/stand-in-tools';
import { unwrap } from '../../../support/unwrap';

const FILE = join(SHARED_DATA, 'nvidia-smi/gpu_log.csv');
const COLUMNS =
  'timestamp,utilization.gpu,utilization.memory,memory.used,memory.free,temperature.gpu,power.draw';
const lines = existsSync(FILE) ? readFileSync(FILE, 'utf8').trim().split('\n') : [];

describe.skipIf(lines.length === 0)('a real log of nvidia-smi (../shared/data/nvidia-smi)', () => {
  const rows = lines.map((line) => readNvidiaRow(line, COLUMNS.split(',')));
  const numbers = (key: 'utilisation' | 'memoryUsed' | 'temperature' | 'power') =>
    rows.map((row) => cellNumber(row?.[key] ?? null) ?? Number.NaN);

  test('is read whole, with its units', () => {
    expect(rows).toHaveLength(961);
    for (const key of ['utilisation', 'memoryUsed', 'temperature', 'power'] as const) {
      expect(numbers(key).filter(Number.isNaN)).toEqual([]);
    }
    expect(numbers('utilisation').filter((percent) => percent > 0)).toHaveLength(20);
    expect(Math.max(...numbers('utilisation'))).toBe(91);
    expect(Math.max(...numbers('memoryUsed'))).toBe(20_137);
    expect(numbers('power')[0]).toBe(11.64);
  });

  test('keeps a history of the last probes, one for each half minute', () => {
    const isoAt = (place: number) => new Date(place * 15_000).toISOString();
    const history = rows.reduce<GpuReading['history']>((before, row, place) => {
      const gpu: Gpu = {
        id: 'GPU-a',
        index: 0,
        name: 'A card',
        vendor: 'nvidia',
        sliceOf: null,
        utilisation: cellNumber(row?.utilisation ?? null),
        memoryUsedMib: cellNumber(row?.memoryUsed ?? null),
        memoryTotalMib: 20_475,
        temperatureC: null,
        powerW: null,
        powerLimitW: null,
        problems: [],
        processes: [],
      };
      return withReading(before, isoAt(place), [gpu]);
    }, {});
    // Of the 961 rows every second one is replaced by the next, but the last.
    const kept = rows
      .map((_, place) => place)
      .filter((place) => place % 2 === 1 || place === rows.length - 1);
    const last = kept.slice(-MAX_READINGS);
    expect(history['GPU-a']?.map(({ at }) => at)).toEqual(last.map(isoAt));
    expect(history['GPU-a']?.map(({ utilisation }) => utilisation)).toEqual(
      last.map((place) => numbers('utilisation')[place]),
    );
  });

  test('played back by a stand-in, its busiest row is the result of a probe', async () => {
    const bench = await toolBench();
    const busiest = lines[numbers('utilisation').indexOf(91)] ?? '';
    await writeFile(join(bench.tools, 'row'), `${busiest}\n`);
    // It knows the columns of the log, and the card's number and name, which the log has not; units as in the log.
    await bench.standIn(
      'nvidia-smi',
      `here=\${0%/*}
for word in "$@"; do case "$word" in --query-gpu=*) query=\${word#*=} ;; --query-compute-apps=*) exit 0 ;; esac; done
awk -F ', ' -v query="$query" -v columns=${COLUMNS} '{
  count = split(query, names, ","); split(columns, known, ",")
  for (i in known) cell[known[i]] = $i
  cell["uuid"] = "GPU-a"; cell["index"] = 0; cell["name"] = "A card"
  for (i = 1; i <= count; i++) if (!(names[i] in cell)) { printf "Field \\"%s\\" is not a valid field to query.\\n", names[i]; exit 2 }
  for (i = 1; i <= count; i++) printf "%s%s", cell[names[i]], i < count ? ", " : "\\n"
}' "$here/row"`,
    );
    const monitor = createMachineMonitor({
      fleet: smallFleet(bench.machine),
      clock: { now: () => Date.now() },
    });
    onTestFinished(() => monitor.dispose());
    const { gpus } = await unwrap(monitor.probe('local'));
    const [, , , memory, , temperature, power] = busiest.split(', ');
    expect(gpus?.problems).toEqual([]);
    expect(gpus?.gpus[0]).toMatchObject({
      utilisation: 91,
      memoryUsedMib: Number.parseInt(memory ?? '', 10),
      temperatureC: Number(temperature),
      powerW: Number.parseFloat(power ?? ''),
      memoryTotalMib: null,
    });
  });
});
