import type { Rollout } from '../../../preload/contract';
import { ok } from '../../base';
import type { Machine } from '../../machines';
import type { CurveBook } from '../logic/watch/curve-book';
import type { EventMessage } from '../logic/watch/event-message';
import { generatedSample } from '../logic/watch/generated-sample';
import { type NameOptions, quantityOf, tagOwner } from '../logic/watch/metric-names';
import { eventReader, listEventFiles } from './event-files';
import { GrowingFile } from './growing-file';
import { everySecondOfTheOlder } from './rollout-index';
import { MOST_BYTES, type Notice, type WatchedPart } from './watched-part';

/** Texts of samples that are kept, of all agents: at most 40 kB each. */
const MOST_SAMPLES = 400;

/** TensorBoard's event files below some folders, new ones too. */
export function eventPart(options: {
  readonly machine: Machine;
  readonly folders: readonly string[];
  readonly book: CurveBook;
  readonly names: NameOptions;
  readonly agentAt: (position: number | null) => string | null;
  readonly notice: Notice;
}): WatchedPart {
  const { machine, folders, book, names, agentAt, notice } = options;
  const files = new Map<string, GrowingFile>();
  /** A tag is read a million times. null: no quantity. */
  const writers = new Map<string, ReturnType<CurveBook['writerOf']> | null>();
  let samples: Rollout[] = [];

  const writerOf = (tag: string) => {
    let write = writers.get(tag);
    if (write === undefined) {
      const { agent, name, isOwnStep } = tagOwner(tag);
      const quantity = quantityOf(name, names);
      const source = isOwnStep ? 'own-steps' : 'metrics';
      write = quantity === null ? null : book.writerOf(source, { ...quantity, agentId: agentAt(agent) });
      writers.set(tag, write);
    }
    return write;
  };
  const takeEvent = ({ wallMs, step, scalars, texts }: EventMessage) => {
    for (const { tag, value } of scalars) writerOf(tag)?.(step, value, wallMs);
    for (const { tag, text } of texts) {
      if (!tag.includes('generated_samples')) continue;
      samples.push(generatedSample(text, agentAt(tagOwner(tag).agent) ?? '', step));
      if (samples.length > MOST_SAMPLES) samples = everySecondOfTheOlder(samples);
    }
  };
  const fileOf = (path: string): GrowingFile => {
    let file = files.get(path);
    if (file === undefined) {
      const damaged = () => notice(`${path} is damaged in places, which are left out.`);
      file = new GrowingFile(machine, path, eventReader({ event: takeEvent, damaged }));
      files.set(path, file);
    }
    return file;
  };

  return {
    read: async () => {
      const paths = await listEventFiles(machine, folders);
      if (!paths.ok) return paths;
      let bytes = 0;
      for (const path of paths.value) {
        const reading = await fileOf(path).read(MOST_BYTES - bytes);
        if (!reading.ok) return reading;
        bytes += reading.value.bytes;
        // Later files go on where earlier ones end, so they are read in their order.
        if (reading.value.isBehind) return ok({ bytes, isBehind: true });
      }
      return ok({ bytes, isBehind: false });
    },
    stage: () => null,
    steps: () => null,
    rollouts: async ({ agentId, upToStep = Number.POSITIVE_INFINITY, limit }) =>
      ok(
        samples
          .filter((one) => one.step <= upToStep && (agentId === undefined || one.agentId === agentId))
          .slice(-limit)
          .reverse(),
      ),
  };
}
