import { MantineProvider } from '@mantine/core';
import { act, type ReactNode } from 'react';
import { createRoot } from 'react-dom/client';
import { onTestFinished } from 'vitest';
import { createWorkbenchState, StateProvider, type WorkbenchState } from '../../renderer/state';
import { mantineTheme, mantineVariables } from '../../renderer/theme';
import { catchingFailures } from '../../renderer/workbench-client';
import { createSampleWorkbench, type SampleOptions, type SampleWorkbench } from './sample-workbench';

// React warns about updates outside of act() only if this is set.
Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true });

export type RenderedScreen = {
  readonly sample: SampleWorkbench;
  readonly state: WorkbenchState;
  /** Visible text of the page, dialogs included, with single spaces. */
  readonly text: () => string;
  /** The button, link or menu item with this name; throws if there is none. */
  readonly control: (name: string) => HTMLElement;
  /** Names of all buttons, in order. */
  readonly buttons: () => readonly string[];
  /** The elements with this role, by explicit attribute. */
  readonly all: (selector: string) => readonly Element[];
  readonly click: (name: string) => Promise<void>;
  /** Runs a change and waits until the screen has followed. */
  readonly settle: (change?: () => void) => Promise<void>;
};

/** Waits for answers of the sample, which come in microtasks, and for what follows from them. */
const ROUNDS = 12;

/** Renders a screen over a sample workbench in the DOM of the test; it ends with the test. */
export async function renderScreen(
  screen: ReactNode,
  options: SampleOptions = {},
): Promise<RenderedScreen> {
  const sample = createSampleWorkbench(options);
  const state = createWorkbenchState(catchingFailures(sample.api));
  const host = document.createElement('div');
  document.body.append(host);
  const root = createRoot(host);
  const settle = async (change: () => void = () => undefined): Promise<void> => {
    await act(async () => {
      change();
      for (let round = 0; round < ROUNDS; round++) await new Promise((resolve) => setTimeout(resolve, 0));
    });
  };
  onTestFinished(async () => {
    await act(async () => root.unmount());
    state.dispose();
    host.remove();
    document.body.replaceChildren();
  });
  await settle(() =>
    root.render(
      <MantineProvider theme={mantineTheme} cssVariablesResolver={mantineVariables} env="test">
        <StateProvider state={state}>{screen}</StateProvider>
      </MantineProvider>,
    ),
  );
  const controls = (): readonly HTMLElement[] => [
    ...document.body.querySelectorAll<HTMLElement>('button, a, [role="menuitem"], input[type="checkbox"]'),
  ];
  const control = (name: string): HTMLElement => {
    const found = controls().find((one) => nameOf(one) === name);
    if (found === undefined) {
      throw new Error(`There is no control "${name}" among: ${controls().map(nameOf).join(' | ')}`);
    }
    return found;
  };
  return {
    sample,
    state,
    text: () => spaced(document.body.textContent ?? ''),
    control,
    buttons: () => controls().map(nameOf),
    all: (selector) => [...document.body.querySelectorAll(selector)],
    click: (name) => settle(() => control(name).click()),
    settle,
  };
}

function nameOf(element: Element): string {
  return element.getAttribute('aria-label') ?? spaced(element.textContent ?? '');
}

function spaced(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}
