import { expect, test } from 'vitest';
import { SettingsScreen } from '../../../renderer/settings';
import { useWorkbench } from '../../../renderer/state';
import { SETTINGS } from '../../../renderer/text/settings';
import { renderScreen } from '../../support/rendered-screen';

function Sought(props: { readonly entry: string }) {
  const { location } = useWorkbench();
  return (
    <>
      <button type="button" onClick={() => location.go({ kind: 'settings', entry: props.entry })}>
        Seek
      </button>
      <SettingsScreen />
    </>
  );
}

test('every setting that the palette names is on the screen', async () => {
  await renderScreen(<SettingsScreen />);
  const shown = [...document.querySelectorAll('dt')].map((entry) => entry.textContent);
  for (const { label } of SETTINGS) expect(shown).toContain(label);
});

test('the setting that the address names has the focus', async () => {
  const screen = await renderScreen(<Sought entry="Webhook" />);
  await screen.click('Seek');
  expect(document.activeElement?.getAttribute('aria-label') ?? document.activeElement?.id).toMatch(
    /Webhook|mantine/,
  );
  expect(document.activeElement?.closest('[data-sought]')?.querySelector('dt')?.textContent).toBe('Webhook');
});
