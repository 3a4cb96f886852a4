import { Checkbox, TextInput, type TextInputProps } from '@mantine/core';
import { type ReactNode, useState } from 'react';

export type Mark = { readonly reason: string; readonly exclude: boolean };

/** The fields of a form that marks problems. `mark`: as typed; its reason may be empty. `fields`: how the first is named. */
export function useMarkFields(before: Partial<Mark>): {
  readonly mark: Mark;
  readonly fields: (reason: TextInputProps & { readonly 'data-autofocus'?: boolean }) => ReactNode;
} {
  const [reason, setReason] = useState(before.reason ?? '');
  const [exclude, setExclude] = useState(before.exclude ?? true);
  return {
    mark: { reason: reason.trim(), exclude },
    fields: (named) => (
      <>
        <TextInput
          {...named}
          maxLength={500}
          value={reason}
          onChange={(event) => setReason(event.currentTarget.value)}
        />
        <Checkbox
          size="xs"
          label="Exclude from new studies"
          checked={exclude}
          onChange={(event) => setExclude(event.currentTarget.checked)}
        />
      </>
    ),
  };
}
