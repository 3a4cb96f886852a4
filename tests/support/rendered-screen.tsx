import { MantineProvider } from '@mantine/core';
import * as React from 'react';
import { act, type ReactNode } from 'react';
import { createRoot } from 'react-dom/client';
import { onTestFinished } from 'vitest';
import { createWorkbenchState, StateProvider } from '../../renderer/state';
import { mantineTheme } from '../../renderer/theme';
import { catchingFailures } from '../../renderer/workbench-client';
import { createSampleWorkbench, type SampleOptions, type SampleWorkbench } from './sample-workbench';

// React checks that updates of a test are inside of act() only if this is set.
Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true });

// React's development build takes a stack trace for each of the first ten thousand elements of a second, which no test
// reads: a tenth of the time of a screen. It is told that there were more.
const internals: unknown = Reflect.get(
  React,
  '__CLIENT_INTERNALS_DO_NOT_USE_OR_WARN_USERS_THEY_CANNOT_UPGRADE',
);
if (internals instanceof Object) {
  const many = { get: () => Number.POSITIVE_INFINITY, set: () => undefined, configurable: true };
  Object.defineProperty(internals, 'recentlyCreatedOwnerStacks', many);
}

export type RenderedScreen = {
  readonly sample: SampleWorkbench;
  /** The visible text of the page, dialogs included. */
  readonly text: () => string;
  /** Names of buttons, links and menu items that can be used, in order. */
  readonly controls: () => readonly string[];
  /** The button, link, menu item or checkbox with this name; throws if absent. */
  readonly control: (name: string) => HTMLElement;
  readonly click: (name: string) => Promise<void>;
  /** The text in the field with this label. */
  readonly field: (label: string) => string;
  /** Replaces the text of the field with this label. */
  readonly fill: (label: string, text: string) => Promise<void>;
  /** Chooses an option of the select with this label. */
  readonly choose: (label: string, option: string) => Promise<void>;
  /** Waits until the page shows this text. */
  readonly until: (text: string | RegExp) => Promise<void>;
};

/** Rounds of the event loop in which the sample's answers, and what follows from them, have come. */
const ROUNDS = 12;
const PATIENCE_MS = 20_000;

/** Renders a screen over a sample workbench in the DOM of the test (happy-dom). */
export async function renderScreen(screen: ReactNode, options: SampleOptions = {}): Promise<RenderedScreen> {
  completeDom();
  const sample = createSampleWorkbench(options);
  const state = createWorkbenchState(catchingFailures(sample.api));
  const host = document.createElement('div');
  document.body.append(host);
  const root = createRoot(host);
  const settle = async (change: () => void): Promise<void> => {
    await act(async () => {
      change();
      for (let round = 0; round < ROUNDS; round++) await new Promise((resolve) => setTimeout(resolve, 0));
    });
  };
  onTestFinished(async () => {
    await act(async () => root.unmount());
    state.dispose();
    document.body.replaceChildren();
  });
  await settle(() =>
    root.render(
      <MantineProvider theme={mantineTheme} withCssVariables={false} env="test">
        <StateProvider state={state}>{screen}</StateProvider>
      </MantineProvider>,
    ),
  );
  const control = (name: string): HTMLElement => {
    const match = allControls().find((one) => nameOf(one) === name);
    if (match === undefined) {
      throw new Error(`There is no "${name}" among: ${allControls().map(nameOf).join(' | ')}`);
    }
    return match;
  };
  return {
    sample,
    text: visibleText,
    controls: () =>
      allControls()
        .filter((one) => !one.matches(':disabled, [data-disabled]'))
        .map(nameOf),
    control,
    click: (name) => settle(() => control(name).click()),
    field: (label) => fieldWithLabel(label).value,
    fill: (label, text) => settle(() => type(fieldWithLabel(label), text)),
    choose: async (label, option) => {
      await settle(() => fieldWithLabel(label).click());
      const options = [...document.body.querySelectorAll<HTMLElement>('[role="option"]')];
      const match = options.find((one) => nameOf(one) === option);
      if (match === undefined) throw new Error(`There is no "${option}" among: ${options.map(nameOf)}`);
      await settle(() => match.click());
    },
    until: async (text) => {
      const deadline = performance.now() + PATIENCE_MS;
      const shows = (): boolean =>
        typeof text === 'string' ? visibleText().includes(text) : text.test(visibleText());
      while (!shows()) {
        if (performance.now() > deadline) throw new Error(`"${text}" did not appear in: ${visibleText()}`);
        await settle(() => undefined);
      }
    },
  };
}

/** What Mantine's text areas listen to and happy-dom lacks. */
function completeDom(): void {
  if ('fonts' in document && document.fonts !== undefined) return;
  Object.defineProperty(document, 'fonts', { value: new EventTarget(), configurable: true });
}

function allControls(): readonly HTMLElement[] {
  return [
    ...document.body.querySelectorAll<HTMLElement>('button, a, [role="menuitem"], input[type="checkbox"]'),
  ];
}

function nameOf(element: Element): string {
  const label = element instanceof HTMLInputElement ? element.labels?.[0]?.textContent : element.textContent;
  return element.getAttribute('aria-label') ?? spaced(label ?? '');
}

function fieldWithLabel(label: string): HTMLInputElement | HTMLTextAreaElement {
  const named = document.body.querySelector(`[aria-label="${CSS.escape(label)}"]`);
  const labels = [...document.body.querySelectorAll('label')];
  const field = named ?? labels.find((one) => spaced(one.textContent ?? '') === label)?.control ?? null;
  if (field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement) return field;
  throw new Error(`There is no field "${label}" among: ${labels.map((one) => one.textContent).join(' | ')}`);
}

/** As a user does: React hears of a value only if it is set by the element's own setter. */
function type(field: HTMLInputElement | HTMLTextAreaElement, text: string): void {
  const prototype =
    field instanceof HTMLInputElement ? HTMLInputElement.prototype : HTMLTextAreaElement.prototype;
  Object.getOwnPropertyDescriptor(prototype, 'value')?.set?.call(field, text);
  field.dispatchEvent(new Event('input', { bubbles: true }));
}

/** Elements with text alone that nobody sees. */
const UNSEEN: ReadonlySet<string> = new Set(['style', 'title']);

/** Without style sheets and titles, with a space between neighbouring elements. */
function visibleText(): string {
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const parts: string[] = [];
  for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
    if (!UNSEEN.has(node.parentElement?.localName ?? '')) parts.push(node.textContent ?? '');
  }
  return spaced(parts.join(' '));
}

function spaced(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}
