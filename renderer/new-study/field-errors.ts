import type { AgentFieldId, FieldError as ErrorAt } from '../shared/agents/index';

/** A field of the form, or a group of fields, that messages belong to. */
export type FieldId =
  | 'name'
  | 'problems'
  | 'days'
  | 'rewardUrl'
  | 'nodes'
  | 'samplesPerAgent'
  | 'batch'
  | 'treeTokens'
  | 'treeSeconds'
  | 'seeds'
  | 'configurations'
  | 'study'
  | 'sweep'
  | `sweep ${string}`
  | `${number} name`
  | AgentFieldId;

export type FieldError = ErrorAt<FieldId>;
export type Warning = { readonly at: FieldId; readonly message: string };
