import { Suspense } from 'react';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { ScreenBoundary } from '../../../renderer/shell/screen-boundary';
import { lazyPart, loadLinkedScreens } from '../../../renderer/widgets';
import { renderScreen } from '../../support/rendered-screen';

const Screen = () => <p>The screen</p>;

const show = (load: () => Promise<{ Screen: typeof Screen }>, crashes: Error[] = []) => {
  const Lazy = lazyPart(load, (module) => module.Screen);
  return renderScreen(
    <ScreenBoundary path="/jobs" onCrash={(_about, error) => crashes.push(error)} onReport={() => undefined}>
      <Suspense fallback="Loading">
        <Lazy />
      </Suspense>
    </ScreenBoundary>,
  );
};

describe('a screen that is loaded when it is first shown', () => {
  // React repeats on the console what a boundary has caught.
  beforeEach(() => void vi.spyOn(console, 'error').mockImplementation(() => undefined));
  afterEach(() => vi.restoreAllMocks());

  test('is shown once it is there', async () => {
    const screen = await show(async () => ({ Screen }));
    await screen.until('The screen');
  });

  test('says so where its file is gone, is logged, and can be tried again with the window', async () => {
    const crashes: Error[] = [];
    const screen = await show(() => Promise.reject(new TypeError('Failed to fetch jobs.js')), crashes);
    await screen.until('This screen could not be loaded');
    expect(screen.text()).toContain('Failed to fetch jobs.js');
    expect(screen.controls()).toEqual(['Reload the window', 'Report a problem…']);
    expect(crashes.map(({ name }) => name)).toEqual(['PartNotLoadedError']);
  });

  test('is loaded when the pointer or the focus comes to a link to it, and no other is', () => {
    const loaded: string[] = [];
    const partOf = (name: string) =>
      lazyPart(
        async () => {
          loaded.push(name);
          return { Screen };
        },
        (module) => module.Screen,
      );
    const screens = { '/jobs': partOf('jobs'), '/runs': partOf('runs') };
    const end = loadLinkedScreens(document, (path) => {
      const Linked = path === '/jobs' ? screens['/jobs'] : screens['/runs'];
      return <Linked />;
    });
    document.body.innerHTML =
      '<a href="#/jobs"><b>Jobs</b></a><a href="https://host/#/runs">Paper</a><p>Text</p>';
    for (const element of document.querySelectorAll('b, a[href^=https], p')) {
      element.dispatchEvent(new Event('pointerover', { bubbles: true }));
    }
    expect(loaded).toEqual(['jobs']);
    document.querySelector('a')?.dispatchEvent(new Event('focusin', { bubbles: true }));
    expect(loaded).toEqual(['jobs', 'jobs']);
    end();
    document.querySelector('a')?.dispatchEvent(new Event('focusin', { bubbles: true }));
    expect(loaded).toHaveLength(2);
  });
});
