import type { MouseEvent, ReactNode } from 'react';
import { type ContextAction, isByPointer, useContextMenu } from '../../widgets/context-menu';
import type { TreeStage } from './tree-stage';

/** The context menu of a node: under the pointer of the one there, by the keyboard of the one its arrows have reached. */
export function useNodeMenu(options: {
  readonly name: string;
  readonly stage: Pick<TreeStage, 'nodeAt'> | null;
  readonly cursor: number | null;
  /** Of the elements of the outline, at which the menu of the keyboard opens. */
  readonly idPrefix: string;
  readonly actionsOf: (index: number) => readonly ContextAction[];
}): { readonly openNodeMenu: (event: MouseEvent<HTMLElement>) => void; readonly menu: ReactNode } {
  const { name, stage, cursor, idPrefix, actionsOf } = options;
  const { openMenu, menu } = useContextMenu(`Actions of the search tree of ${name}`);
  return {
    menu,
    openNodeMenu: (event) => {
      const box = event.currentTarget.getBoundingClientRect();
      const point = { x: event.clientX - box.left, y: event.clientY - box.top };
      const index = isByPointer(event) ? (stage?.nodeAt(point) ?? null) : cursor;
      if (index !== null) openMenu(event, actionsOf(index), document.getElementById(`${idPrefix}-${index}`));
    },
  };
}
