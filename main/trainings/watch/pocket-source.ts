import { ok } from '../../base';
import type { Machine } from '../../machines';
import type { CurveStore } from '../logic/watch/curve-store';
import { metricsLine, pocketFiles, rolloutLine, stageOf, timesLine } from '../logic/watch/pocket-files';
import { GrowingFile } from './growing-file';
import { jsonLines } from './json-lines';
import { RolloutIndex } from './rollout-index';
import { MAX_READ_BYTES, type ReportProblem, type WatchSource } from './watch-source';

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
        const reading = await file.read(MAX_READ_BYTES);
        if (!reading.ok) return reading;
        bytes += reading.value.bytes;
        isBehind ||= reading.value.isBehind;
      }
      const text = await machine.readText(path(pocketFiles.stage));
      if (!text.ok) return text;
      stage = text.value === null ? stage : (stageOf(text.value) ?? stage);
      return ok({ bytes, isBehind });
    },
    stage: () => stage,
    steps: () => null,
    rollouts: (query) => index.read(machine, path(pocketFiles.rollouts), query),
  };
}
