import { useState } from 'react';
import { type ExhibitScale, useRemembered } from '../state/index';
import { EMPTY_ORDER, EMPTY_PAPER, type OrderDraft, paperDraftOf } from './order-draft';

/** The form of an order. Places of the lab are the same for every exhibit, so they are remembered; checkpoints are not. */
export function useOrderDraft(scale: ExhibitScale): readonly [OrderDraft, (draft: OrderDraft) => void] {
  const [kept, remember] = useRemembered('reproduction.paper', '', (text) => text);
  const [draft, setDraft] = useState<OrderDraft>(() => ({
    ...EMPTY_ORDER,
    paper: scale === 'paper' && kept !== '' ? paperDraftOf(kept) : EMPTY_PAPER,
  }));
  const change = (next: OrderDraft): void => {
    setDraft(next);
    if (scale === 'paper') remember(JSON.stringify({ ...next.paper, checkpoints: [] }));
  };
  return [draft, change];
}
