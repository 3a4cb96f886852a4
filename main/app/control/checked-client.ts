import { z } from 'zod';
import {
  type Answer,
  type CommandName,
  commands,
  refusalSchema,
  runEventSchema,
  savedSettingsSchema,
  type WorkbenchEvent,
  workbenchEventSchema,
} from '../../../preload/contract/index';
import { Emitter } from '../../base/index';
import type { Call } from '../dispatch';
import type { ControlClient } from './client';
import type { LineLimits } from './frames';

/**
 * Limits of a line from another machine: logs come in parts, and the events of the largest run have some tens of
 * megabytes. Values nested this deep can be copied and printed without running out of stack.
 */
export const UNTRUSTED_LINE_LIMITS: LineLimits = {
  characters: 128 * 1_048_576,
  json: { depth: 1_200, parts: 20_000_000 },
};

/** Events that a window makes for itself: a machine has no say in them. */
const OF_THE_WINDOW: ReadonlySet<WorkbenchEvent['kind']> = new Set([
  'go-to',
  'report-problem',
  'service-connection',
]);

const answerSchema = z.discriminatedUnion('ok', [
  z.object({ ok: z.literal(true), value: z.unknown() }),
  z.object({
    ok: z.literal(false),
    error: refusalSchema.extend({
      message: z.string().max(20_000),
      hint: z.string().max(20_000).optional(),
    }),
  }),
]);

/** This computer's own reader has parsed the events of a journal; another machine's word is not taken for it. */
const runEvents = z.array(runEventSchema);

/** Whose service it is, and how it is brought to this version. */
type Whose = { readonly name: string; readonly upgrade: string };

/**
 * A service whose answers and events are what the contract says, or nothing: its machine may have been taken over, or it is
 * of another version than this program. What is not understood is a refusal; events of that kind are left out, which is
 * said once.
 */
export function checkedClient(client: ControlClient, whose: Whose): ControlClient {
  const events = new Emitter<WorkbenchEvent>();
  let isReported = false;
  client.events.on((event) => {
    const checked = workbenchEventSchema.safeParse(event);
    if (checked.success) {
      if (!OF_THE_WINDOW.has(checked.data.kind)) events.emit(checked.data);
    } else if (!isReported) {
      isReported = true;
      const message = `The background service on ${whose.name} (version ${client.about().version}) sends events that this version does not understand. They are left out, so what you see may be old until it is loaded again.`;
      events.emit({ kind: 'notice', level: 'warning', message });
    }
  });
  const call: Call = async (name, payload, host) => {
    const answer = answerSchema.safeParse(await client.call(name, payload, host));
    if (!answer.success) return unreadableAnswer(whose, client, name, 'it is no answer');
    if (!answer.data.ok) return answer.data;
    const schema = schemaOf(name);
    if (schema === null) return unreadableAnswer(whose, client, name, 'there is no such command here');
    const value = schema.safeParse(answer.data.value);
    if (value.success) return { ok: true, value: value.data };
    const issue = value.error.issues[0];
    const place = issue === undefined || issue.path.length === 0 ? '' : `at ${issue.path.join('.')}: `;
    return unreadableAnswer(
      whose,
      client,
      name,
      `${place}${issue?.message ?? 'its format is wrong'}`.slice(0, 300),
    );
  };
  return { ...client, events, call };
}

function schemaOf(name: string): z.ZodType | null {
  if (name === 'run.events') return runEvents;
  // An older one does not know every setting.
  if (name === 'settings.read') return savedSettingsSchema;
  return Object.hasOwn(commands, name) ? commands[name as CommandName].value : null;
}

function unreadableAnswer(
  { name: machine, upgrade }: Whose,
  { about }: ControlClient,
  name: string,
  why: string,
): Answer<never> {
  return {
    ok: false,
    error: {
      code: 'unavailable',
      message: `The background service on ${machine} (version ${about().version}) answered "${name}" with something that this version does not understand (${why}). Nothing of it was used.`,
      hint: `If it is of another version, update it: ${upgrade}. Otherwise find out who changed it.`,
    },
  };
}
