import type { ProblemsKept } from '../../../preload/contract';
import { ok } from '../../base';
import type { Machine } from '../../machines';
import { LineSplitter, LineTooLongError } from '../../storage';
import type { CurveStore } from '../logic/watch/curve-store';
import {
  metricsLine,
  pocketFiles,
  problemsKeptOf,
  rolloutLine,
  stageOf,
  timesLine,
} from '../logic/watch/pocket-files';
import { type FileReader, GrowingFile } from './growing-file';
import { RolloutIndex } from './rollout-index';
import { MAX_READ_BYTES, type ReportProblem, type WatchSource } from './watch-source';

/** A rollout with a long answer takes some hundred kilobytes. */
const MAX_LINE_BYTES = 16 * 1_048_576;

/** Complete lines of a file with their offsets; an incomplete last line waits for its end. */
export function jsonLines(on: {
  readonly line: (text: string, offset: number, bytes: number) => void;
  readonly restart: () => void;
}): FileReader {
  let splitter = new LineSplitter(MAX_LINE_BYTES);
  /** A line was too long to be JSON: the rest of the file cannot be split into lines either. */
  let hasFailed = false;
  return {
    push: (bytes) => {
      if (hasFailed) return;
      try {
        for (const line of splitter.push(Buffer.from(bytes)))
          if (line.bytes.length > 0) on.line(line.bytes.toString('utf8'), line.offset, line.bytes.length);
      } catch (error) {
        if (!(error instanceof LineTooLongError)) throw error;
        hasFailed = true;
      }
    },
    restart: () => {
      splitter = new LineSplitter(MAX_LINE_BYTES);
      hasFailed = false;
      on.restart();
    },
  };
}

/** The pocket trainer's own files. After a truncation they are read again; a repeated row changes nothing. */
export function pocketSource(
  machine: Machine,
  folder: string,
  curves: CurveStore,
  reportProblem: ReportProblem,
): WatchSource {
  const path = (name: string): string => `${folder}/${name}`;
  const index = new RolloutIndex();
  let stage: string | null = null;
  let problemsKept: ProblemsKept | null = null;
  const unreadable = (name: string) =>
    reportProblem(`A line of ${path(name)} cannot be read and was skipped.`);
  const nothing = () => undefined;

  const metrics = jsonLines({
    line: (text) => {
      const rows = metricsLine(text);
      if (rows === null) unreadable(pocketFiles.metrics);
      else for (const row of rows) curves.add('metrics', row);
    },
    restart: nothing,
  });
  const times = jsonLines({
    line: (text) => {
      const time = timesLine(text, Date.parse);
      if (time === null) unreadable(pocketFiles.times);
      else curves.addTime('metrics', time.agentId, time.step, time.ms);
    },
    restart: nothing,
  });
  const rollouts = jsonLines({
    line: (text, offset, bytes) => {
      const rollout = rolloutLine(text);
      if (rollout === null) unreadable(pocketFiles.rollouts);
      else index.add({ agentId: rollout.agentId, step: rollout.step, offset, bytes });
    },
    restart: () => index.clear(),
  });
  // Times first, so that each row has its time when it is read.
  const files = [
    new GrowingFile(machine, path(pocketFiles.times), times),
    new GrowingFile(machine, path(pocketFiles.metrics), metrics),
    new GrowingFile(machine, path(pocketFiles.rollouts), rollouts),
  ];

  return {
    read: async () => {
      let bytes = 0;
      let isBehind = false;
      for (const file of files) {
        const chunk = await file.read(MAX_READ_BYTES);
        if (!chunk.ok) return chunk;
        bytes += chunk.value.bytes;
        isBehind ||= chunk.value.isBehind;
      }
      const text = await machine.readText(path(pocketFiles.stage));
      if (!text.ok) return text;
      if (text.value !== null) {
        stage = stageOf(text.value) ?? stage;
        problemsKept = problemsKeptOf(text.value) ?? problemsKept;
      }
      return ok({ bytes, isBehind });
    },
    stage: () => stage,
    problemsKept: () => problemsKept,
    steps: () => null,
    rollouts: (query) => index.read(machine, path(pocketFiles.rollouts), query),
  };
}
