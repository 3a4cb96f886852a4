import { ActionIcon, Tooltip } from '@mantine/core';
import { IconCheck, IconCopy } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import type { ContextAction } from './context-menu';

/** Copies text to the clipboard; false if not allowed. */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    // If the asynchronous clipboard is refused, the copy command still works within a click.
    const field = document.createElement('textarea');
    field.value = text;
    field.style.position = 'fixed';
    field.style.opacity = '0';
    const before = document.activeElement;
    document.body.append(field);
    field.select();
    const copied = document.execCommand('copy');
    field.remove();
    if (before instanceof HTMLElement) before.focus();
    return copied;
  }
}

/** An entry of a context menu that copies. */
export function copyAction(label: string, text: string): ContextAction {
  return { label, run: () => void copyText(text) };
}

/** How long the button shows the result, milliseconds. */
const FEEDBACK_MS = 1_500;

/** A copy button; `label`: e.g. "Copy program"; `read` is called on click. */
export function CopyTextButton({ label, read }: { label: string; read: () => string }) {
  const [result, setResult] = useState<'copied' | 'refused' | null>(null);
  useEffect(() => {
    if (result === null) return;
    const timer = setTimeout(() => setResult(null), FEEDBACK_MS);
    return () => clearTimeout(timer);
  }, [result]);
  const press = (): void => {
    void copyText(read()).then((copied) => setResult(copied ? 'copied' : 'refused'));
  };
  const shown = result === 'copied' ? 'Copied' : result === 'refused' ? 'Could not copy' : label;
  return (
    <Tooltip label={shown}>
      <ActionIcon size={24} aria-label={shown} onClick={press}>
        {result === 'copied' ? <IconCheck size={15} /> : <IconCopy size={15} stroke={1.6} />}
      </ActionIcon>
    </Tooltip>
  );
}
