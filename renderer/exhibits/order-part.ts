import type { Exhibit } from '../../preload/contract/exhibit';
import type { OrderDraft, OrderFault } from './order-draft';

/** What the fields of an order share. */
export type OrderPart = {
  readonly exhibit: Exhibit;
  readonly draft: OrderDraft;
  readonly faults: readonly OrderFault[];
  readonly onDraft: (draft: OrderDraft) => void;
};
