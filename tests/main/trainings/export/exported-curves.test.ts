import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { expect, test } from 'vitest';
import { exportCurves } from '../../../../main/trainings/export-curves';
import { exportedRun } from '../../../../main/trainings/logic/export/exported-run';
import { type EventMessage, readEvent } from '../../../../main/trainings/logic/watch/event-message';
import { FieldCursor } from '../../../../main/trainings/logic/watch/protobuf';
import { RecordReader } from '../../../../main/trainings/logic/watch/record-reader';
import type { TrainingCurve } from '../../../../preload/contract';
import { samplePocketTraining } from '../../../support/sample-trainings';
import { temporaryFolder } from '../../../support/temporary-folder';
import { unwrap } from '../../../support/unwrap';

/** More than one block of W&B's log, with a value that JSON lacks. */
const steps = Array.from({ length: 900 }, (_, at) => at + 1);
const curve = (agentId: string, key: string, part: TrainingCurve['part'] = 'train'): TrainingCurve => ({
  ...{ agentId, key, part, steps, samples: null },
  values: steps.map((step) => (step === 7 ? Number.NaN : step / 1_024)),
  seconds: steps.map((step) => step / 2),
});
const curves = [
  curve('reader', 'reward'),
  curve('tracer', 'reward'),
  curve('reader', 'pass@1', 'evaluation'),
];
const view = samplePocketTraining(
  { id: '1f2e3d4c-aaaa', name: 'Reader und Tracer ä', createdAt: '2026-11-28T02:51:24.000Z' },
  10,
);
const run = exportedRun(view, curves, 1_795_834_284);

test('a CSV has a row a point, and the scale in its name', async () => {
  const folder = await temporaryFolder();
  const { files } = await unwrap(exportCurves(run, 'csv', folder));
  expect(files.map((path) => path.slice(folder.length))).toEqual(['/curves-1f2e3d4c.pocket.csv']);
  const lines = (await readFile(files[0] ?? '', 'utf8')).trim().split('\n');
  expect(lines.slice(0, 2)).toEqual([
    'agent,quantity,part,step,samples,seconds,value',
    'reader,reward,train,1,,0.5,0.0009765625',
  ]);
  expect(lines).toHaveLength(1 + 3 * steps.length);
});

test('event files are read back value by value, and name the scale', async () => {
  const folder = await temporaryFolder();
  const { files } = await unwrap(exportCurves(run, 'tensorboard', folder));
  expect(files.map((path) => path.slice(folder.length))).toEqual([
    '/reader.pocket/events.out.tfevents.1795834284.mars2.1f2e3d4c',
    '/tracer.pocket/events.out.tfevents.1795834284.mars2.1f2e3d4c',
  ]);
  const events: EventMessage[] = [];
  const reader = new RecordReader();
  reader.push(await readFile(files[0] ?? ''), (data) => {
    const event = readEvent(data, (bytes) => new TextDecoder().decode(bytes));
    if (event !== null) events.push(event);
  });
  expect(reader.damaged).toBe(0);
  expect(events[1]?.texts).toEqual([
    { tag: 'mars2/scale', text: expect.stringMatching(/^pocket: /) },
    { tag: 'mars2/settings', text: expect.stringContaining('| scale | pocket |') },
  ]);
  const points = (tag: string) =>
    events.flatMap(({ step, wallMs, scalars }) =>
      scalars.flatMap((one) => (one.tag === tag ? [{ step, wallMs, value: one.value }] : [])),
    );
  for (const tag of ['train/reward', 'eval/pass@1']) {
    expect(points(tag)).toEqual(
      steps.map((step) => ({
        step,
        wallMs: 1_795_834_284_000 + step * 500,
        value: step === 7 ? Number.NaN : step / 1_024,
      })),
    );
  }
});

/** Reads a run of W&B's by its format's description, with zlib's checksum: the messages of its records. */
function recordsIn(bytes: Buffer): Buffer[] {
  expect([...bytes.subarray(0, 7)]).toEqual([...Buffer.from(':W&B'), 0xe1, 0xbe, 0]);
  const records: Buffer[] = [];
  let parts: Buffer[] = [];
  for (let at = 7; at < bytes.length; ) {
    const left = 32_768 - (at % 32_768);
    if (left < 7) {
      at += left;
      continue;
    }
    const [length, kind] = [bytes.readUInt16LE(at + 4), bytes[at + 6] ?? 0];
    const data = bytes.subarray(at + 7, at + 7 + length);
    expect(bytes.readUInt32LE(at)).toBe(crc32(data, crc32(Buffer.of(kind))));
    parts = kind === 1 || kind === 2 ? [data] : [...parts, data];
    if (kind === 1 || kind === 4) records.push(Buffer.concat(parts));
    at += 7 + length;
  }
  return records;
}

/** Field numbers and contents of a message. */
function fieldsOf(bytes: Uint8Array): { number: number; varint: number; data: Uint8Array }[] {
  const cursor = new FieldCursor(bytes);
  const fields: ReturnType<typeof fieldsOf> = [];
  while (cursor.next()) {
    const { number, varint, from, to } = cursor;
    fields.push({ number, varint, data: bytes.slice(from, to) });
  }
  return fields;
}

/** Keys and values of items, which are fields `number` of a message. */
const itemsOf = (bytes: Uint8Array, number: number): Record<string, string> =>
  Object.fromEntries(
    fieldsOf(bytes)
      .filter((field) => field.number === number)
      .map(({ data }) => fieldsOf(data).map((one) => new TextDecoder().decode(one.data))),
  );

test('an offline run of W&B holds every value and names the scale, in the same bytes each time', async () => {
  const [folder, other] = [await temporaryFolder(), await temporaryFolder()];
  const { files } = await unwrap(exportCurves(run, 'wandb', folder));
  expect(files).toEqual([join(folder, 'offline-run-20261128_025124-1f2e3d4c', 'run-1f2e3d4c.wandb')]);
  const bytes = await readFile(files[0] ?? '');
  expect(bytes.length).toBeGreaterThan(3 * 32_768);
  const records = recordsIn(bytes).map((record) => fieldsOf(record)[1]);
  expect(records.map((record) => record?.number)).toEqual([21, 17, ...steps.map(() => 2), 3, 18]);
  const about = fieldsOf(records[1]?.data ?? new Uint8Array());
  const texts = about.filter(({ number }) => number === 10).map(({ data }) => new TextDecoder().decode(data));
  expect(texts).toEqual(['mars2', 'scale:pocket']);
  const config = about.find(({ number }) => number === 4)?.data ?? new Uint8Array();
  expect(itemsOf(config, 1)).toMatchObject({ scale: '"pocket"', agents: '["reader","tracer"]', seed: '1' });
  const rows = records.slice(2, -2).map((record) => itemsOf(record?.data ?? new Uint8Array(), 1));
  expect(rows).toEqual(
    steps.map((step) => {
      const value = step === 7 ? 'NaN' : `${step / 1_024}`;
      return {
        ...{ _step: `${step}`, _runtime: `${step / 2}`, _timestamp: `${1_795_834_284 + step / 2}` },
        ...{ 'train/reward/reader': value, 'train/reward/tracer': value, 'eval/pass@1/reader': value },
      };
    }),
  );
  const again = await unwrap(exportCurves(run, 'wandb', other));
  expect(await readFile(again.files[0] ?? '')).toEqual(bytes);
});

test('a training without curves is refused, and nothing is written', async () => {
  const refused = await exportCurves({ ...run, curves: [] }, 'wandb', '/nowhere');
  expect(refused.ok ? '' : refused.error.message).toContain('has no curves yet');
});
