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
  | `${number} team`
  | `${number} agent ${number}`
  | `${number} address ${number}`
  | `${number} model ${number}`
  | `${number} details ${number}`;

/** missing: shown only after the user tries to create the study; wrong: shown at once. */
export type FieldError = {
  readonly at: FieldId;
  readonly kind: 'missing' | 'wrong';
  readonly message: string;
};
export type Warning = { readonly at: FieldId; readonly message: string };
