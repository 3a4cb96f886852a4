import type { Value } from '../../preload/contract/commands/index';
import type { EnteredPlace, EnteredValue } from '../../preload/contract/entered-value';
import type { ExhibitResult } from '../../preload/contract/exhibit';
import type { Refusal } from '../../preload/contract/refusal';
import type { WorkbenchClient } from '../workbench-client';
import type { ExhibitScale } from './exhibit-routes';
import type { Location } from './location';
import type { Notices } from './notices';
import { createResource, type Resource } from './resource';
import { createThrottled } from './throttled';

/** A reproduction changes about once a second; its table is updated less often. */
const RESULT_PAUSE_MS = 1_500;

export type ResultQuery = {
  readonly exhibitId: string;
  readonly scale: ExhibitScale;
  /** null: of the newest at this scale. */
  readonly reproductionId: string | null;
};

export type Exhibits = {
  /** Under ONLY. */
  readonly list: Resource<Value<'exhibit.list'>>;
  /** By `resultKey`. */
  readonly results: Resource<ExhibitResult>;
  /** File contents by exhibit id; "template" is an example with every field. */
  readonly texts: Resource<{ text: string }>;
  /** Exhibit files have changed. */
  readonly changed: () => void;
  /** A reproduction of this exhibit made progress: its table is reloaded at a limited rate. */
  readonly reproductionChanged: (exhibitId: string) => void;
  /** Saves the file and goes to its exhibit; returns a refusal for the editor. */
  readonly save: (text: string) => Promise<Refusal | null>;
  readonly remove: (exhibitId: string) => Promise<void>;
  /** Enters a value of the paper; returns a refusal for the form. */
  readonly setValue: (exhibitId: string, value: EnteredValue) => Promise<Refusal | null>;
  /** False: it was refused, and a message was shown. */
  readonly removeValue: (exhibitId: string, at: EnteredPlace) => Promise<boolean>;
  readonly dispose: () => void;
};

export function resultKey({ exhibitId, scale, reproductionId }: ResultQuery): string {
  return JSON.stringify([exhibitId, scale, reproductionId]);
}

function parseResultKey(key: string): ResultQuery {
  const [exhibitId, scale, reproductionId] = JSON.parse(key) as [string, ExhibitScale, string | null];
  return { exhibitId, scale, reproductionId };
}

export function createExhibits(client: WorkbenchClient, notices: Notices, location: Location): Exhibits {
  const list = createResource(() => client.call('exhibit.list', {}));
  const results = createResource((key) => {
    const { exhibitId, scale, reproductionId } = parseResultKey(key);
    return client.call('exhibit.result', {
      exhibitId,
      scale,
      ...(reproductionId === null ? {} : { reproductionId }),
    });
  });
  const texts = createResource((exhibitId) => client.call('exhibit.text', { exhibitId }), 5);
  const refreshResults = createThrottled(
    (exhibitId) => results.refreshMatching((key) => parseResultKey(key).exhibitId === exhibitId),
    RESULT_PAUSE_MS,
  );
  const changed = (): void => {
    list.refreshAll();
    texts.refreshAll();
    results.refreshAll();
  };
  return {
    list,
    results,
    texts,
    changed,
    reproductionChanged: refreshResults.schedule,
    save: async (text) => {
      const answer = await client.call('exhibit.save', { text });
      if (!answer.ok) return answer.error;
      changed();
      location.go({ kind: 'exhibit', exhibitId: answer.value.exhibit.id, scale: 'pocket' });
      return null;
    },
    remove: async (exhibitId) => {
      const answer = await client.call('exhibit.remove', { exhibitId });
      if (!answer.ok) return notices.showRefusal(answer.error);
      changed();
      const { route } = location.store.getState();
      if ('exhibitId' in route && route.exhibitId === exhibitId) {
        location.go({ kind: 'exhibits' }, { replace: true });
      }
    },
    setValue: async (exhibitId, value) => {
      const answer = await client.call('exhibit.set-values', { exhibitId, values: [value] });
      if (!answer.ok) return answer.error;
      changed();
      return null;
    },
    removeValue: async (exhibitId, at) => {
      const answer = await client.call('exhibit.remove-value', { exhibitId, at });
      if (!answer.ok) notices.showRefusal(answer.error);
      else changed();
      return answer.ok;
    },
    dispose: refreshResults.dispose,
  };
}
