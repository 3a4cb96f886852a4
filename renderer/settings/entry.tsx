import { type ReactNode, useEffect, useRef } from 'react';
import { useRoute } from '../state/index';
import styles from './settings.module.css';

/** A setting. Where the address names it, it is shown and has the focus. */
export function SettingEntry(props: { readonly label: string; readonly children: ReactNode }) {
  const { label, children } = props;
  const route = useRoute();
  const isLinked = route.kind === 'settings' && route.entry === label;
  const entry = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (!isLinked) return;
    entry.current?.scrollIntoView({ block: 'center' });
    entry.current?.querySelector<HTMLElement>('input, button, [tabindex="0"]')?.focus();
  }, [isLinked]);
  return (
    <div ref={entry} className={styles.entry} data-sought={isLinked || undefined}>
      <dt>{label}</dt>
      <dd>{children}</dd>
    </div>
  );
}
