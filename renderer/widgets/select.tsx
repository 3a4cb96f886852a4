import { Select as MantineSelect, type SelectProps } from '@mantine/core';
import { type FocusEvent, type PointerEvent, useState } from 'react';

type Value = string | number | boolean;

/**
 * Mantine's Select, whose list is made when one comes near it: made with the page, hidden, the lists of a screen take
 * longer than all the rest of it. Not later, so that the arrows find the chosen option in a list that has just opened.
 */
export function Select<V extends Value = string>(props: SelectProps<V>) {
  const [isMounted, setMounted] = useState(false);
  return (
    <MantineSelect<V>
      {...props}
      comboboxProps={{ ...props.comboboxProps, keepMounted: isMounted }}
      onFocus={(event: FocusEvent<HTMLInputElement>) => {
        setMounted(true);
        props.onFocus?.(event);
      }}
      onPointerEnter={(event: PointerEvent<HTMLInputElement>) => {
        setMounted(true);
        props.onPointerEnter?.(event);
      }}
    />
  );
}
