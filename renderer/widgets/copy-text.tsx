import { ActionIcon, Tooltip } from '@mantine/core';
import { IconCheck, IconCopy } from '@tabler/icons-react';
import { useEffect, useState } from 'react';

/** Puts text on the clipboard; false where the page may not. */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    // Where the host refuses the asynchronous clipboard, the selection's own copy command still works in a press.
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

/** How long the button says that it has copied, milliseconds. */
const FEEDBACK_MS = 1_500;

/** A button that copies; `label` names what: "Copy program". `read` is asked when it is pressed. */
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
  const words = result === 'copied' ? 'Copied' : result === 'refused' ? 'Could not copy' : label;
  return (
    <Tooltip label={words}>
      <ActionIcon size={24} aria-label={words} onClick={press}>
        {result === 'copied' ? <IconCheck size={15} /> : <IconCopy size={15} stroke={1.6} />}
      </ActionIcon>
    </Tooltip>
  );
}
