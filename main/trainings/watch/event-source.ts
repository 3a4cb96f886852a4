import type { Rollout } from '../../../preload/contract';
import { ok } from '../../base';
import type { Machine } from '../../machines';
import type { CurveStore } from '../logic/watch/curve-store';
import type { EventMessage } from '../logic/watch/event-message';
import { type NameOptions, quantityOf, tagOwner } from '../logic/watch/metric-names';
import { generatedSample } from '../logic/watch/workflow-rollouts';
import { eventReader, listEventFiles } from './event-files';
import { GrowingFile } from './growing-file';
import { thinOlderHalf } from './rollout-index';
import { MAX_READ_BYTES, type ReportProblem, type WatchSource } from './watch-source';

/** Sample texts kept for all agents together, at most 40 kB each. */
const MAX_SAMPLES = 400;

/** Others write these files: a name for each step would fill the memory. */
const MAX_TAGS = 10_000;
const MAX_TAG_CHARACTERS = 400;

/** TensorBoard's event files below the folders, including those that appear later. */
export function eventSource(options: {
  readonly machine: Machine;
  readonly folders: readonly string[];
  readonly curves: CurveStore;
  readonly names: NameOptions;
  readonly agentAt: (position: number | null) => string | null;
  readonly reportProblem: ReportProblem;
}): WatchSource {
  const { machine, folders, curves, names, agentAt, reportProblem } = options;
  const files = new Map<string, GrowingFile>();
  /** Cached, since a tag may occur a million times. null: not a quantity. */
  const writers = new Map<string, ReturnType<CurveStore['writerOf']> | null>();
  let samples: Rollout[] = [];

  const writerOf = (tag: string) => {
    let write = writers.get(tag);
    if (write === undefined) {
      const { agent, name, isOwnStep } = tagOwner(tag);
      const quantity = quantityOf(name, names);
      const source = isOwnStep ? 'own-steps' : 'metrics';
      write = quantity === null ? null : curves.writerOf(source, { ...quantity, agentId: agentAt(agent) });
      writers.set(tag, write);
    }
    return write;
  };
  const isAllowed = (tag: string): boolean => {
    if (writers.has(tag)) return true;
    const isLong = tag.length > MAX_TAG_CHARACTERS;
    if (isLong) reportProblem(`Names of more than ${MAX_TAG_CHARACTERS} characters are left out.`);
    else if (writers.size >= MAX_TAGS) reportProblem(`More than ${MAX_TAGS} names: the others are left out.`);
    else return true;
    return false;
  };
  const takeEvent = ({ wallMs, step, scalars, texts }: EventMessage) => {
    for (const { tag, value } of scalars) if (isAllowed(tag)) writerOf(tag)?.(step, value, wallMs);
    for (const { tag, text } of texts) {
      if (!tag.includes('generated_samples')) continue;
      samples.push(generatedSample(text, agentAt(tagOwner(tag).agent) ?? '', step));
      if (samples.length > MAX_SAMPLES) samples = thinOlderHalf(samples);
    }
  };
  const fileOf = (path: string): GrowingFile => {
    let file = files.get(path);
    if (file === undefined) {
      const damaged = () => reportProblem(`${path} has damaged parts, which were skipped.`);
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
        const chunk = await fileOf(path).read(MAX_READ_BYTES - bytes);
        if (!chunk.ok) return chunk;
        bytes += chunk.value.bytes;
        // Later files continue where earlier ones end, so they are read in order.
        if (chunk.value.isBehind) return ok({ bytes, isBehind: true });
      }
      return ok({ bytes, isBehind: false });
    },
    stage: () => null,
    steps: () => null,
    rollouts: async ({ agentId, upToStep = Number.POSITIVE_INFINITY, limit }) =>
      ok(
        samples
          .filter(({ agentId: id, step }) => step <= upToStep && (agentId === undefined || id === agentId))
          .slice(-limit)
          .reverse(),
      ),
  };
}
