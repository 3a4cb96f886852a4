import { ok } from '../../base';
import type { Machine } from '../../machines';
import type { CurveBook } from '../logic/watch/curve-book';
import { metricsLine, pocketFiles, rolloutLine, stageOf, timesLine } from '../logic/watch/pocket-files';
import { GrowingFile } from './growing-file';
import { jsonLines } from './json-lines';
import { RolloutIndex } from './rollout-index';
import { MOST_BYTES, type Notice, type WatchedPart } from './watched-part';

/** The pocket trainer's own files. After a cut they are read again; a row that comes again changes nothing. */
export function pocketPart(machine: Machine, folder: string, book: CurveBook, notice: Notice): WatchedPart {
  const path = (name: string): string => `${folder}/${name}`;
  const index = new RolloutIndex();
  let stage: string | null = null;
  const unreadable = (name: string) => notice(`A line of ${path(name)} can not be read and is left out.`);
  const nothing = () => undefined;

  const metrics = jsonLines({
    line: (text) => {
      const rows = metricsLine(text);
      if (rows === null) unreadable(pocketFiles.metrics);
      else for (const row of rows) book.add('metrics', row);
    },
    restart: nothing,
  });
  const times = jsonLines({
    line: (text) => {
      const time = timesLine(text, Date.parse);
      if (time === null) unreadable(pocketFiles.times);
      else book.addTime('metrics', time.agentId, time.step, time.ms);
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
  // Times first, so that a row that is seen has its time.
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
        const reading = await file.read(MOST_BYTES);
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
