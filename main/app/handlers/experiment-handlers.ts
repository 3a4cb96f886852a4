import { resolve } from 'node:path';
import { failed, hideTokens, ok } from '../../base/index';
import type { ExperimentService } from '../../plans/index';
import { replaceUserFile, writeReasonOf } from '../../storage/index';
import type { Handlers } from '../dispatch';

/** Experiments of many trainings, and their results. */
export function experimentHandlers({ experiments }: { readonly experiments: ExperimentService }): Handlers {
  return {
    'experiment.list': async () => ok([...experiments.list()]),
    'experiment.start': (request) => experiments.start(request),
    'experiment.pause': ({ experimentId }) => experiments.pause(experimentId),
    'experiment.resume': ({ experimentId }) => experiments.resume(experimentId),
    'experiment.remove': ({ experimentId }) => experiments.remove(experimentId),
    'experiment.result': ({ experimentId }) => experiments.result(experimentId),
    'experiment.export': async ({ experimentId, kind, path }) => {
      const file = await experiments.exportCsv(experimentId, kind);
      if (!file.ok) return file;
      const target = resolve(path);
      const text = hideTokens(file.value.text);
      try {
        await replaceUserFile(target, text);
      } catch (error) {
        return failed({
          code: 'bad-input',
          message: `The CSV could not be written to ${target}: ${writeReasonOf(target, error)}.`,
          hint: 'Choose a folder that exists and that you may write to.',
        });
      }
      return ok({ path: target, rows: file.value.rows, bytes: Buffer.byteLength(text) });
    },
  };
}
