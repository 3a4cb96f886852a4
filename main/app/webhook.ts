import type { Settings, WorkbenchEvent } from '../../preload/contract/index';
import type { Disposable, Emitter } from '../base/index';

const TIMEOUT_MS = 10_000;
/** Pauses before each further try, milliseconds. */
const WAITS_MS = [2_000, 10_000];

/**
 * Posts notices to the address of the settings, as JSON: {about, title, body, at, text}; `text` is what chat services
 * show. A notice that cannot be delivered is reported once in the window, without the address, which may hold a key.
 */
export function sendToWebhook(options: {
  readonly events: Emitter<WorkbenchEvent>;
  readonly settings: () => Settings;
  readonly now: () => number;
  readonly sleep: (ms: number) => Promise<void>;
}): Disposable {
  const { events, settings, now, sleep } = options;
  const post = async (url: string, body: string): Promise<string | null> => {
    try {
      const answer = await fetch(url, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body,
        redirect: 'error',
        signal: AbortSignal.timeout(TIMEOUT_MS),
      });
      await answer.body?.cancel();
      return answer.ok ? null : `it answered ${answer.status}`;
    } catch (error) {
      return error instanceof Error && error.name === 'TimeoutError'
        ? 'it did not answer'
        : 'it cannot be reached';
    }
  };
  const deliver = async (url: string, body: string): Promise<void> => {
    for (const waitMs of [...WAITS_MS, null]) {
      const why = await post(url, body);
      if (why === null) return;
      if (waitMs === null) {
        const message = `A notice could not be delivered to the webhook in Settings: ${why}.`;
        events.emit({ kind: 'notice', level: 'warning', message });
      } else await sleep(waitMs);
    }
  };
  return events.on((event) => {
    const url = settings().webhookUrl;
    if (event.kind !== 'notification' || url === null || !settings().notify[event.about]) return;
    const { about, title, body } = event;
    const at = new Date(now()).toISOString();
    // `post` never rejects.
    void deliver(url, JSON.stringify({ about, title, body, at, text: `${title}: ${body}` }));
  });
}
