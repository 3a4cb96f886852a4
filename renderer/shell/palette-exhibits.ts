import type { SpotlightActionData } from '@mantine/spotlight';
import { useMemo } from 'react';
import {
  type ExhibitScale,
  readyValue,
  useExhibits,
  useReproductions,
  type WorkbenchState,
} from '../state/index';
import { exhibitName, reproductionStatus } from '../text/exhibits';

/** Exhibits and reproductions as the palette names them. */
export type ExhibitEntries = {
  readonly exhibits: readonly {
    readonly id: string;
    readonly title: string;
    readonly description: string;
    readonly isOwn: boolean;
  }[];
  readonly reproductions: readonly {
    readonly id: string;
    readonly title: string;
    readonly exhibitId: string;
    readonly scale: ExhibitScale;
    readonly description: string;
    readonly action: 'pause' | 'resume' | null;
  }[];
};

/** The same object while names and states are: a reproduction changes all the time, and the palette shows none of it. */
export function useExhibitEntries(): ExhibitEntries {
  const exhibits = (readyValue(useExhibits())?.exhibits ?? []).map(({ exhibit, origin }) => ({
    id: exhibit.id,
    title: exhibitName(exhibit),
    description: exhibit.paper.title,
    isOwn: origin === 'own',
  }));
  const reproductions = (readyValue(useReproductions()) ?? []).map((view) => ({
    id: view.id,
    title: view.title,
    exhibitId: view.order.exhibitId,
    scale: view.scale,
    description: `${view.scale} scale, ${reproductionStatus(view).text.toLowerCase()}`,
    action: actionOf(view),
  }));
  const key = JSON.stringify({ exhibits, reproductions });
  return useMemo(() => ({ exhibits, reproductions }), [key]);
}

function actionOf({
  state,
  readOnly,
}: {
  readonly state: { readonly kind: string };
  readonly readOnly: boolean;
}): 'pause' | 'resume' | null {
  if (readOnly) return null;
  if (state.kind === 'running') return 'pause';
  return state.kind === 'paused' || state.kind === 'failed' ? 'resume' : null;
}

/** `openId`: the exhibit that is looked at. */
export function exhibitActions(
  { location, reproductions: commands }: WorkbenchState,
  { exhibits, reproductions }: ExhibitEntries,
  openId: string | null,
): readonly SpotlightActionData[] {
  return [
    ...exhibits.map(({ id, title, description }) => ({
      id: `exhibit-${id}`,
      group: 'Exhibits',
      label: `Exhibit: ${title}`,
      description,
      keywords: [id, 'reproduce', 'paper', 'table', 'figure'],
      onClick: () => location.go({ kind: 'exhibit', exhibitId: id, scale: 'pocket' }),
    })),
    ...reproductions.map(({ id, title, description }) => ({
      id: `reproduction-${id}`,
      group: 'Reproductions',
      label: `Reproduction: ${title}`,
      description,
      keywords: [id],
      onClick: () => location.go({ kind: 'reproduction', reproductionId: id }),
    })),
    ...reproductions
      .filter(({ exhibitId, action }) => exhibitId === openId && action !== null)
      .map(({ id, title, action }) => ({
        id: `do-reproduction-${id}`,
        group: 'Actions',
        label: `${action === 'pause' ? 'Pause' : 'Resume'} the reproduction of ${title}`,
        onClick: () => void (action === 'pause' ? commands.pause(id) : commands.resume(id)),
      })),
    {
      id: 'do-new-exhibit',
      group: 'Actions',
      label: 'New exhibit from the template',
      onClick: () => location.go({ kind: 'new-exhibit', from: null }),
    },
    ...exhibits
      .filter(({ id }) => id === openId)
      .flatMap(({ id, title, isOwn }) => [
        {
          id: 'do-plan-exhibit',
          group: 'Actions',
          label: `Plan a reproduction of ${title}`,
          onClick: () =>
            location.go({ kind: 'exhibit', exhibitId: id, scale: 'pocket', panel: 'plan' as const }),
        },
        {
          id: 'do-copy-exhibit',
          group: 'Actions',
          label: `Make an exhibit of your own like ${title}`,
          onClick: () => location.go({ kind: 'new-exhibit', from: id }),
        },
        ...(isOwn
          ? [
              {
                id: 'do-edit-exhibit',
                group: 'Actions',
                label: `Edit ${title}`,
                onClick: () => location.go({ kind: 'edit-exhibit', exhibitId: id }),
              },
            ]
          : []),
      ]),
  ];
}
