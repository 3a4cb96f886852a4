import {
  type PocketFamily,
  pocketServer,
  recordedServer,
  urlServer,
} from '../../preload/contract/plans/index';
import type { Benchmark, Recording } from '../../preload/contract/problem';
import type { ServerSpec } from '../../preload/contract/team';
import { assertNever } from '../state/index';

/** Who can play in a configuration. */
export type AgentChoice =
  | { readonly kind: 'pocket'; readonly family: PocketFamily }
  | { readonly kind: 'recorded'; readonly recordingId: string }
  /** Both as typed; an OpenAI-compatible API's address, e.g. "http://127.0.0.1:8000/v1". */
  | { readonly kind: 'url'; readonly baseUrl: string; readonly model: string };

/** What the composer can choose from. */
export type Library = {
  readonly benchmarks: readonly Benchmark[];
  readonly recordings: readonly Recording[];
};

export function serverOf(choice: AgentChoice): ServerSpec {
  switch (choice.kind) {
    case 'pocket':
      return pocketServer(choice.family);
    case 'recorded':
      return recordedServer(choice.recordingId);
    case 'url':
      return urlServer(choice.baseUrl.trim(), choice.model.trim());
    default:
      return assertNever(choice);
  }
}

/** The agent in a word or two: as lists and default names have it. */
export function agentName(choice: AgentChoice, library: Library): string {
  switch (choice.kind) {
    case 'pocket':
      return choice.family;
    case 'recorded':
      return library.recordings.find(({ id }) => id === choice.recordingId)?.name ?? choice.recordingId;
    case 'url':
      return choice.model.trim() === '' ? 'a model' : choice.model.trim();
    default:
      return assertNever(choice);
  }
}

/** Is the text an address that a request can be sent to? */
export function isApiAddress(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, hostname } = new URL(text);
  return (protocol === 'http:' || protocol === 'https:') && hostname !== '';
}
