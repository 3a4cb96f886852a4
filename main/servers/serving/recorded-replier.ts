import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { failed, ok, type Result } from '../../base';
import { reasonOf } from '../../storage';
import {
  type ApiError,
  badRequest,
  NO_REFINEMENT,
  PROBLEM_NOT_RECORDED,
  SAMPLES_EXHAUSTED,
} from '../logic/api-error';
import type { ChatRequest } from '../logic/chat-request';
import { parseRecordedProblem, sampleAt } from '../logic/recording';
import { type Replier, type Reply, splitTokens } from '../logic/reply';

export type RecordedPrograms = {
  readonly samples: readonly string[];
  /** By the digest of the refined program; null in a recording of independent samples. */
  readonly refinements: ReadonlyMap<string, readonly string[]> | null;
};
export type Recording = ReadonlyMap<string, RecordedPrograms>;

/** Reads a recording line by line, so that its size is bounded by memory and not by the longest string. */
export async function readRecording(path: string): Promise<Result<Recording, string>> {
  const recording = new Map<string, RecordedPrograms>();
  let lineNumber = 0;
  try {
    for await (const line of createInterface({
      input: createReadStream(path, 'utf8'),
      crlfDelay: Infinity,
    })) {
      lineNumber += 1;
      if (line.trim() === '') continue;
      const parsed = parseRecordedProblem(line);
      if (!parsed.ok)
        return failed(`Line ${lineNumber} of the recording ${path} cannot be used: ${parsed.error}.`);
      const { problemId, samples, refinements } = parsed.value;
      if (recording.has(problemId)) {
        return failed(
          `Line ${lineNumber} of the recording ${path} names the problem "${problemId}" a second time.`,
        );
      }
      const byDigest = refinements?.map(({ of, programs }) => [of, programs] as const);
      recording.set(problemId, { samples, refinements: byDigest === undefined ? null : new Map(byDigest) });
    }
  } catch (error) {
    return failed(`The recording ${path} cannot be read: ${reasonOf(error)}.`);
  }
  if (recording.size === 0) return failed(`The recording ${path} holds no problem.`);
  return ok(recording);
}

/** The list that answers a request, and the error when it has no more. */
type ReplySource = {
  readonly at: (position: number) => string | null;
  /** The position that the request names; null: the server counts. */
  readonly position: number | null;
  readonly empty: () => ApiError;
};

/**
 * Replays recorded programs, each complete: temperature, top_p and max_tokens had their effect when the programs were
 * recorded; only stop texts still apply. Choice i of n is the program i places after the requested one.
 *
 * Independent samples are given by ordinal, in the session's own order, whatever program the request refines. In a
 * recording of traces, a request without `parent` gets a first program, by turn in the session's own order; a request
 * with `parent` gets a recorded refinement of that program, by turn in the order of recording.
 */
export function createRecordedReplier(recording: Recording, serverSeed: number): Replier {
  const counted = new Map<string, number>();

  const counting = (request: ChatRequest, problemId: string): number => {
    const { session, parent } = request.metadata;
    const key = JSON.stringify([session, problemId, parent]);
    const next = counted.get(key) ?? 0;
    counted.set(key, next + request.n);
    return next;
  };

  const sourceFor = (
    { metadata }: ChatRequest,
    problemId: string,
    programs: RecordedPrograms,
  ): ReplySource => {
    const { session, ordinal, parent, turn } = metadata;
    const { samples, refinements } = programs;
    const inOwnOrder = (position: number) => sampleAt(samples, { serverSeed, session, problemId }, position);
    if (refinements === null) {
      return { at: inOwnOrder, position: ordinal, empty: () => exhausted(problemId, samples.length) };
    }
    if (parent === null) {
      const empty = () => samplesExhausted(problemId, samples.length, 'first programs');
      return { at: inOwnOrder, position: turn ?? ordinal, empty };
    }
    const made = refinements.get(parent) ?? [];
    const empty = () => samplesExhausted(problemId, made.length, `refinements of the program ${parent}`);
    return { at: (position) => made[position] ?? null, position: turn, empty };
  };

  return {
    isWhole: true,
    replies: (request) => {
      const { problemId } = request.metadata;
      if (problemId === null) {
        const message = 'A recorded model answers by problem: name it in "metadata": {"problem_id": ...}.';
        return failed(badRequest(message, 'metadata.problem_id'));
      }
      const programs = recording.get(problemId);
      if (programs === undefined) return failed(notRecorded(problemId));
      const source = sourceFor(request, problemId, programs);
      const first = source.position ?? counting(request, problemId);
      const promptTokens = request.messages.reduce(
        (sum, { content }) => sum + splitTokens(content).length,
        0,
      );
      const replies: Reply[] = [];
      for (let i = 0; i < request.n; i++) {
        const program = source.at(first + i);
        if (program === null) return failed(source.empty());
        const tokens = splitTokens(program).map((token) => ({ token, logprob: null }));
        replies.push({ tokens, promptTokens });
      }
      return ok(replies);
    },
  };
}

function notRecorded(problemId: string): ApiError {
  return {
    status: 404,
    type: 'invalid_request_error',
    code: PROBLEM_NOT_RECORDED,
    message: `The recording has no samples of the problem "${problemId}".`,
    param: 'metadata.problem_id',
  };
}

function exhausted(problemId: string, samples: number): ApiError {
  return {
    status: 409,
    type: 'invalid_request_error',
    code: SAMPLES_EXHAUSTED,
    message: `All ${samples} recorded samples of the problem "${problemId}" are used in this session.`,
    param: null,
  };
}

/** Not `exhausted`: below another program of the same problem the traces may continue. */
function samplesExhausted(problemId: string, count: number, noun: string): ApiError {
  const message =
    count === 0
      ? `The recording has no ${noun} of the problem "${problemId}".`
      : `All ${count} recorded ${noun} of the problem "${problemId}" are used in this session.`;
  return { status: 409, type: 'invalid_request_error', code: NO_REFINEMENT, message, param: null };
}
