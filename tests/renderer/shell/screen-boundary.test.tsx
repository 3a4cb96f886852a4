import { Suspense } from 'react';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { ScreenBoundary } from '../../../renderer/shell/screen-boundary';
import { lazyPart } from '../../../renderer/widgets';
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
});
