import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { failed, ok, type Result } from '../../base';
import type { ChatRequest } from '../logic/chat-request';
import { parseRecordedProblem, sampleAt } from '../logic/recording';
import { type Replier, type Reply, splitTokens } from '../logic/reply';
import {
  badRequest,
  PROBLEM_NOT_RECORDED,
  SAMPLES_EXHAUSTED,
  type ServerProblem,
} from '../logic/server-problem';

export type Recording = ReadonlyMap<string, readonly string[]>;

/** Reads a recording line by line, so that its size is bounded by memory and not by the longest string. */
export async function readRecording(path: string): Promise<Result<Recording, string>> {
  const recording = new Map<string, readonly string[]>();
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
      const { problemId, samples } = parsed.value;
      if (recording.has(problemId)) {
        return failed(
          `Line ${lineNumber} of the recording ${path} names the problem "${problemId}" a second time.`,
        );
      }
      recording.set(problemId, samples);
    }
  } catch (error) {
    return failed(
      `The recording ${path} cannot be read: ${error instanceof Error ? error.message : String(error)}.`,
    );
  }
  if (recording.size === 0) return failed(`The recording ${path} holds no problem.`);
  return ok(recording);
}

/**
 * Replays recorded programs. They are given whole: temperature, top_p and max_tokens were settled when they were
 * recorded; only stop texts still apply. Choice i of n is the sample i places after the request's ordinal.
 */
export function createRecordedReplier(recording: Recording, serverSeed: number): Replier {
  const counted = new Map<string, number>();

  const firstOrdinal = (request: ChatRequest, problemId: string): number => {
    const { session, ordinal } = request.metadata;
    if (ordinal !== null) return ordinal;
    const key = JSON.stringify([session, problemId]);
    const next = counted.get(key) ?? 0;
    counted.set(key, next + request.n);
    return next;
  };

  return {
    replies: (request) => {
      const { problemId, session } = request.metadata;
      if (problemId === null) {
        const message = 'A recorded model answers by problem: name it in "metadata": {"problem_id": ...}.';
        return failed(badRequest(message, 'metadata.problem_id'));
      }
      const samples = recording.get(problemId);
      if (samples === undefined) return failed(notRecorded(problemId));
      const first = firstOrdinal(request, problemId);
      const promptTokens = request.messages.reduce(
        (sum, { content }) => sum + splitTokens(content).length,
        0,
      );
      const replies: Reply[] = [];
      for (let i = 0; i < request.n; i++) {
        const sample = sampleAt(samples, { serverSeed, session, problemId }, first + i);
        if (sample === null) return failed(exhausted(problemId, samples.length));
        const tokens = splitTokens(sample).map((token) => ({ token, logprob: null }));
        replies.push({ tokens, promptTokens });
      }
      return ok(replies);
    },
  };
}

function notRecorded(problemId: string): ServerProblem {
  return {
    status: 404,
    type: 'invalid_request_error',
    code: PROBLEM_NOT_RECORDED,
    message: `The recording has no samples of the problem "${problemId}".`,
    param: 'metadata.problem_id',
  };
}

function exhausted(problemId: string, samples: number): ServerProblem {
  return {
    status: 409,
    type: 'invalid_request_error',
    code: SAMPLES_EXHAUSTED,
    message: `All ${samples} recorded samples of the problem "${problemId}" are used in this session.`,
    param: null,
  };
}
