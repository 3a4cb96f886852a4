import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import type { Refusal, ServerSpec } from '../../preload/contract';
import { failed, ok, type Result } from '../base';
import { reasonOf, sha256OfFile } from '../storage';
import { parseRecordedProblem } from './logic/recording';

/** The file that a server answers from, as far as starting one needs to know it. */
export type ModelFile = {
  readonly path: string;
  /** SHA-256, hex. */
  readonly digest: string;
  /** A problem of the recording, for a test request; null for other kinds. */
  readonly knownProblemId: string | null;
};

/** Reads these facts of a checkpoint or recording; the refusal names the file. */
export async function openModelFile(
  kind: ServerSpec['kind'],
  path: string,
): Promise<Result<ModelFile, Refusal>> {
  try {
    const digest = await sha256OfFile(path);
    if (kind !== 'recorded') return ok({ path, digest, knownProblemId: null });
    const knownProblemId = await firstSampledProblem(path);
    if (knownProblemId !== null) return ok({ path, digest, knownProblemId });
    const message = `The recording ${path} holds no sample. Import it again.`;
    return failed({ code: 'bad-input', message, cause: 'file' });
  } catch (error) {
    const what = kind === 'recorded' ? 'recording' : "model's file";
    return failed({
      code: 'unavailable',
      message: `The ${what} ${path} cannot be read: ${reasonOf(error)}.`,
    });
  }
}

async function firstSampledProblem(path: string): Promise<string | null> {
  const input = createReadStream(path, 'utf8');
  try {
    for await (const line of createInterface({ input, crlfDelay: Infinity })) {
      const parsed = parseRecordedProblem(line);
      if (parsed.ok && parsed.value.samples.length > 0) return parsed.value.problemId;
    }
    return null;
  } finally {
    input.destroy();
  }
}
