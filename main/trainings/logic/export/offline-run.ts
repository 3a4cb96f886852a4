import { crc32 } from '../checksums';
import type { ExportedFile } from './event-file';
import { type ExportedRun, SCALE_TEXTS, shortId, tagOf } from './exported-run';
import { bytesField, intField, joinBytes, message } from './protobuf-writer';

/**
 * An offline run of Weights & Biases, which `wandb sync` uploads: records (wandb/proto/wandb_internal.proto) in a log of
 * LevelDB's format (wandb/sdk/internal/datastore.py).
 */
export function offlineRun(run: ExportedRun): ExportedFile[] {
  const id = shortId(run);
  const path = `offline-run-${stamp(run.startedAt)}-${id}/run-${id}.wandb`;
  return [{ path, bytes: logOf(recordsOf(run, id)) }];
}

/** "2026-11-28T02:51:24.000Z" -> "20261128_025124", as W&B names folders. */
function stamp(iso: string): string {
  const digits = iso.replaceAll(/\D/g, '');
  return `${digits.slice(0, 8)}_${digits.slice(8, 14)}`;
}

/** Field numbers of a Record's parts. */
const RECORD = { number: 1, history: 2, summary: 3, run: 17, exit: 18, header: 21 };

function recordsOf(run: ExportedRun, id: string): Uint8Array[] {
  const rows = historyOf(run);
  const started = message(intField(1, run.startedAtS));
  const config = Object.entries(run.settings).map(([key, value]) => bytesField(1, item(key, value)));
  const tags = ['mars2', `scale:${run.scale}`].map((tag) => bytesField(10, tag));
  const about = message(
    ...[bytesField(1, id), bytesField(3, 'mars2-workbench'), bytesField(4, message(...config))],
    ...[bytesField(8, run.name), bytesField(9, SCALE_TEXTS[run.scale]), ...tags, bytesField(17, started)],
  );
  const last = new Map<string, unknown>();
  for (const [, row] of rows) for (const [key, value] of row) last.set(key, value);
  const summary = [...last].map(([key, value]) => bytesField(1, item(key, value)));
  const seconds = Math.round(Math.max(0, ...run.curves.flatMap((curve) => curve.seconds ?? [])));
  const parts: readonly (readonly [number, Uint8Array])[] = [
    // As wandb 0.31 writes it: its version, and the least version of a reader.
    [RECORD.header, bytesField(1, message(bytesField(1, '0.31.0'), bytesField(2, '0.70.0')))],
    [RECORD.run, about],
    ...rows.map(([step, row]): [number, Uint8Array] => {
      const items = [...row].map(([key, value]) => bytesField(1, item(key, value)));
      return [RECORD.history, message(...items, bytesField(2, intField(1, step)))];
    }),
    [RECORD.summary, message(...summary)],
    [RECORD.exit, message(intField(2, seconds))],
  ];
  return parts.map(([field, part], at) => message(intField(RECORD.number, at + 1), bytesField(field, part)));
}

/** All values by step, which W&B wants in order; one chart a quantity, one line per agent. */
function historyOf({ curves, startedAtS }: ExportedRun): [number, Map<string, unknown>][] {
  const rows = new Map<number, Map<string, unknown>>();
  for (const curve of curves) {
    const name = curve.agentId === null ? tagOf(curve) : `${tagOf(curve)}/${curve.agentId}`;
    for (const [at, exact] of curve.steps.entries()) {
      const step = Math.max(0, Math.round(exact));
      const row = rows.get(step) ?? new Map<string, unknown>([['_step', step]]);
      rows.set(step, row);
      const seconds = curve.seconds?.[at];
      if (seconds !== undefined && !row.has('_runtime')) {
        row.set('_runtime', seconds);
        row.set('_timestamp', startedAtS + seconds);
      }
      row.set(name, curve.values[at] ?? Number.NaN);
    }
  }
  return [...rows].toSorted(([a], [b]) => a - b);
}

/** A key and its value as JSON, with NaN and Infinity as W&B writes them, which are no JSON. */
function item(key: string, value: unknown): Uint8Array {
  const isOdd = typeof value === 'number' && !Number.isFinite(value);
  return message(bytesField(1, key), bytesField(16, isOdd ? String(value) : JSON.stringify(value)));
}

const BLOCK_BYTES = 32_768;
const HEAD_BYTES = 7;
const KIND = { whole: 1, first: 2, middle: 3, last: 4 };

/** Records in blocks: none but a padded end of a block is shorter than its head. */
function logOf(records: readonly Uint8Array[]): Uint8Array {
  // ":W&B", the format's magic number, its version.
  const parts: Uint8Array[] = [Uint8Array.of(0x3a, 0x57, 0x26, 0x42, 0xe1, 0xbe, 0)];
  let at = HEAD_BYTES;
  const put = (bytes: Uint8Array): void => {
    parts.push(bytes);
    at += bytes.length;
  };
  for (const data of records) {
    let from = 0;
    do {
      if (BLOCK_BYTES - (at % BLOCK_BYTES) < HEAD_BYTES)
        put(new Uint8Array(BLOCK_BYTES - (at % BLOCK_BYTES)));
      const room = BLOCK_BYTES - (at % BLOCK_BYTES) - HEAD_BYTES;
      const to = Math.min(data.length, from + room);
      const isLast = to === data.length;
      const kind = from === 0 ? (isLast ? KIND.whole : KIND.first) : isLast ? KIND.last : KIND.middle;
      put(chunk(data.subarray(from, to), kind));
      from = to;
    } while (from < data.length);
  }
  return joinBytes(parts);
}

function chunk(data: Uint8Array, kind: number): Uint8Array {
  const head = new Uint8Array(HEAD_BYTES);
  const view = new DataView(head.buffer);
  view.setUint32(0, crc32(joinBytes([Uint8Array.of(kind), data])), true);
  view.setUint16(4, data.length, true);
  view.setUint8(6, kind);
  return joinBytes([head, data]);
}
