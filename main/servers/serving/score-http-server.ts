import { readFile } from 'node:fs/promises';
import type { Server } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { failed, parsedJson, type Result } from '../../base';
import { loadRewardModel, type PocketRewardModel, parseRewardModel, rewardOf } from '../../pocket';
import { badRequest } from '../logic/api-error';
import { createHttpServer, type Route, readBody, refuse, sendJson } from './http-server';

const scoreRequestSchema = z.object({
  problem: z.object({ id: z.string(), statement: z.string() }),
  program: z.string(),
});

/** Reads a reward model; the error names the file and what is wrong with it. */
export async function readRewardModel(path: string): Promise<Result<PocketRewardModel, string>> {
  const text = await readFile(path, 'utf8').catch((error: Error) => error);
  if (typeof text !== 'string') return failed(`The reward model ${path} cannot be read: ${text.message}.`);
  const record = parseRewardModel(text);
  const model = record.ok ? loadRewardModel(record.value) : record;
  return model.ok ? model : failed(`${model.error.message} It was read from ${path}.`);
}

/**
 * A server of rewards: POST /v1/score with {"problem": {"id", "statement"}, "program"} gives {"score": number}. The
 * caller listens and closes.
 */
export function createScoreServer({
  model,
  latencyMs,
  log,
}: {
  readonly model: PocketRewardModel;
  /** Milliseconds that every score is held back. */
  readonly latencyMs: number;
  readonly log: (line: string) => void;
}): Server {
  const score: Route['answer'] = async (request, response, _id, record) => {
    const body = await readBody(request);
    if (!body.ok) {
      response.setHeader('connection', 'close');
      refuse(response, body.error, record);
      return;
    }
    const scoreRequest = scoreRequestSchema.safeParse(parsedJson(body.value));
    if (!scoreRequest.success) {
      const where = scoreRequest.error.issues[0]?.path.map(String).join('.') ?? '';
      const problem =
        where === '' ? 'The body is no JSON object' : `The field "${where}" is missing or no text`;
      const form = '{"problem": {"id", "statement"}, "program"}';
      refuse(response, badRequest(`${problem}; ${form} is needed.`, where === '' ? null : where), record);
      return;
    }
    if (latencyMs > 0) await sleep(latencyMs);
    const reward = rewardOf(model, scoreRequest.data.problem, scoreRequest.data.program);
    if (reward.ok) sendJson(response, 200, { score: reward.value });
    else refuse(response, badRequest(reward.error.message, 'problem.statement'), record);
  };
  return createHttpServer({
    log,
    routes: new Map<string, Route>([
      [
        '/health',
        { method: 'GET', answer: async (_request, response) => sendJson(response, 200, { status: 'ok' }) },
      ],
      ['/v1/score', { method: 'POST', answer: score }],
    ]),
  });
}
