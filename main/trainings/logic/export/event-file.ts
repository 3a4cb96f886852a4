import type { TrainingCurve } from '../../../../preload/contract';
import { maskedCrc32c } from '../checksums';
import { type ExportedRun, SCALE_TEXTS, shortId, tagOf } from './exported-run';
import { bytesField, doubleField, floatField, intField, joinBytes, message } from './protobuf-writer';

/** A file below the folder of an export. */
export type ExportedFile<Bytes = Uint8Array> = { readonly path: string; readonly bytes: Bytes };

/**
 * TensorBoard's event files, a folder per agent: TensorBoard draws folders as lines of one chart, and its legend names the
 * scale with each. Field numbers from tensorflow/core/util/event.proto and framework/{summary,tensor}.proto.
 */
export function eventFiles(run: ExportedRun): ExportedFile[] {
  const agents = [...new Set(run.curves.map(({ agentId }) => agentId))];
  return agents.map((agentId) => {
    const curves = run.curves.filter((curve) => curve.agentId === agentId);
    const folder = `${(agentId ?? 'team').replaceAll(/[^\w.-]/g, '_')}.${run.scale}`;
    return {
      path: `${folder}/events.out.tfevents.${run.startedAtS}.mars2.${shortId(run)}`,
      bytes: joinBytes(eventsOf(run, curves).map(record)),
    };
  });
}

function eventsOf(run: ExportedRun, curves: readonly TrainingCurve[]): Uint8Array[] {
  const { startedAtS, settings, scale } = run;
  const rows = Object.entries(settings).map(([key, value]) => `| ${key} | ${[value].flat().join(', ')} |`);
  const head = message(
    doubleField(1, startedAtS),
    bytesField(
      5,
      message(
        text('mars2/scale', SCALE_TEXTS[scale]),
        text('mars2/settings', ['| setting | value |', '| --- | --- |', ...rows].join('\n')),
      ),
    ),
  );
  const points = curves.flatMap((curve) =>
    curve.steps.map((step, at) => {
      const value = message(bytesField(1, tagOf(curve)), floatField(2, curve.values[at] ?? Number.NaN));
      return { step, seconds: startedAtS + (curve.seconds?.[at] ?? 0), value };
    }),
  );
  return [
    message(doubleField(1, startedAtS), bytesField(3, 'brain.Event:2')),
    head,
    ...points
      .toSorted((a, b) => a.step - b.step)
      .map(({ step, seconds, value }) =>
        message(
          doubleField(1, seconds),
          intField(2, Math.max(0, Math.round(step))),
          bytesField(5, bytesField(1, value)),
        ),
      ),
  ];
}

/** A text of TensorBoard's text plug-in, within a summary: a tensor of one string. */
function text(tag: string, content: string): Uint8Array {
  const metadata = message(bytesField(1, bytesField(1, 'text')));
  const shape = bytesField(2, bytesField(2, intField(1, 1)));
  const tensor = message(intField(1, 7), shape, bytesField(8, content));
  return bytesField(1, message(bytesField(1, tag), bytesField(9, metadata), bytesField(8, tensor)));
}

/** A TFRecord: length, its checksum, data, its checksum. */
function record(data: Uint8Array): Uint8Array {
  const head = new Uint8Array(12);
  const view = new DataView(head.buffer);
  view.setUint32(0, data.length, true);
  view.setUint32(8, maskedCrc32c(head, 0, 8), true);
  const tail = new Uint8Array(4);
  new DataView(tail.buffer).setUint32(0, maskedCrc32c(data), true);
  return joinBytes([head, data, tail]);
}
