import { useState } from 'react';
import { describe, expect, test, vi } from 'vitest';
import type { NodeView } from '../../../preload/contract';
import { marksOf, TreeLegend } from '../../../renderer/run/tree/tree-legend';
import type { Detail } from '../../../renderer/run/tree/tree-scene';
import { renderScreen } from '../../support/rendered-screen';

const node = (privateVerdict: NodeView['privateVerdict'], publicVerdicts: NodeView['publicVerdicts']) => ({
  privateVerdict,
  publicVerdicts,
});
const NODES = [
  node('no-code', []),
  node('wrong-answer', ['passed']),
  node('runtime-error', ['passed']),
  node('passed', ['passed']),
];

async function legend(detail: Detail, nodes = NODES): Promise<string> {
  const screen = await renderScreen(
    <TreeLegend
      agents={[]}
      detail={detail}
      showsStrip={detail === 'near'}
      answerRule="the latest"
      paneWidth={300}
      {...marksOf(nodes)}
    />,
  );
  // Of several legends in one test the last.
  return screen.text().slice(screen.text().lastIndexOf('new program'));
}

describe('the legend of a tree', () => {
  test('names every mark that its chips have, passing first', async () => {
    expect(await legend('near')).toContain(
      'no public test was run private tests: ✓ passed ∅ no code ✗ wrong answer ! runtime error answer',
    );
  });

  test('names no mark that is not drawn', async () => {
    expect(await legend('near', NODES.slice(3))).not.toMatch(/✗|!|∅|no public test/);
    expect(await legend('middle')).toContain('private tests: ✓ passed answer');
    expect(await legend('far')).not.toContain('private tests');
  });

  test('says that a private verdict which is not known yet, or which a replay hides, is not known', async () => {
    expect(await legend('near', [node(null, ['passed'])])).toContain('private tests: · not known yet answer');
  });

  test('of one width never gets lower again: the zoom depends on the room that it leaves, and what it says on the zoom', async () => {
    // Chips have a line more than shapes.
    const heights = vi.spyOn(HTMLElement.prototype, 'offsetHeight', 'get').mockImplementation(function (
      this: HTMLElement,
    ) {
      return Math.max(
        this.textContent.includes('public tests:') ? 59 : 41,
        Number.parseInt(this.style.minHeight || '0', 10),
      );
    });
    const props = { agents: [], answerRule: 'the latest', ...marksOf(NODES) };
    function Zoomed() {
      const [step, setStep] = useState(0);
      const isNear = step === 0;
      return (
        <>
          <button type="button" onClick={() => setStep(step + 1)}>
            next
          </button>
          <TreeLegend
            {...props}
            detail={isNear ? 'near' : 'middle'}
            showsStrip={isNear}
            paneWidth={step < 2 ? 300 : 400}
          />
        </>
      );
    }
    const { click } = await renderScreen(<Zoomed />);
    const list = document.querySelector<HTMLElement>('[aria-label="Legend"]');
    await click('next');
    expect(list?.textContent).not.toContain('public tests:');
    expect(list?.style.minHeight).toBe('59px');
    await click('next');
    expect(list?.style.minHeight).toBe('41px');
    heights.mockRestore();
  });

  test('says on request why the answer is the answer', async () => {
    await legend('near');
    expect(document.querySelector('[title="the latest"]')?.textContent).toContain('answer');
  });
});
