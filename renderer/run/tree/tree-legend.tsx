import { memo, useLayoutEffect, useRef } from 'react';
import type { NodeView, Verdict } from '../../../preload/contract';
import type { PlacedAgent } from '../../shared/studies';
import { verdictStyle } from '../../theme';
import { AgentMark } from './agent-mark';
import classes from './tree-canvas.module.css';
import type { Detail } from './tree-scene';

/** What the shapes, rings, squares and marks mean that the picture has at this zoom. */
export const TreeLegend = memo(function TreeLegend(props: {
  readonly agents: readonly PlacedAgent[];
  readonly detail: Detail;
  /** Chips have the room for the squares of their public tests. */
  readonly showsStrip: boolean;
  /** Some node has no public test that was run, and so an empty square. */
  readonly hasUntested: boolean;
  /** Those on the private tests, each once; null: not known yet. */
  readonly verdicts: readonly (Verdict | null)[];
  /** Why a node is the answer. */
  readonly answerRule: string;
  readonly paneWidth: number;
}) {
  const { agents, detail, showsStrip, hasUntested, answerRule, paneWidth } = props;
  const list = useHighestHeight(paneWidth);
  // As the picture: a mark for each verdict in chips, for passing alone beside shapes, for none beside dots.
  const verdicts = props.verdicts.filter(
    (verdict) => detail === 'near' || (detail === 'middle' && verdict === 'passed'),
  );
  const passed = verdictStyle('passed');
  const wrong = verdictStyle('wrong-answer');
  return (
    <ul ref={list} className={classes.legend} aria-label="Legend">
      {agents.map(({ id, name, position }) => (
        <li key={id}>
          <AgentMark position={position} /> {name}
        </li>
      ))}
      <li>
        <svg aria-hidden="true" viewBox="0 0 16 16" width="1em" height="1em">
          <circle cx="8" cy="8" r="3.6" fill="currentColor" />
          <circle cx="8" cy="8" r="6.4" fill="none" stroke="currentColor" strokeWidth="1.6" />
        </svg>{' '}
        new program
      </li>
      <li>
        <svg aria-hidden="true" viewBox="0 0 16 16" width="1em" height="1em">
          <circle cx="8" cy="8" r="5" fill="currentColor" />
        </svg>{' '}
        refines
      </li>
      <li>
        <svg aria-hidden="true" viewBox="0 0 34 16" width="2.1em" height="1em">
          <circle cx="7" cy="8" r="5" fill="currentColor" fillOpacity="0.12" stroke="currentColor" />
          <circle cx="26" cy="8" r="5.5" fill="currentColor" />
        </svg>{' '}
        public score 0 to 1
      </li>
      {showsStrip && (
        <li>
          <svg aria-hidden="true" viewBox="0 0 22 16" width="1.4em" height="1em">
            <rect x="1" y="4" width="8" height="8" fill={tint(passed.token)} />
            <rect x="12" y="9" width="8" height="3" fill={tint(wrong.token)} />
          </svg>{' '}
          public tests: passed, not passed
        </li>
      )}
      {showsStrip && hasUntested && (
        <li>
          <svg aria-hidden="true" viewBox="0 0 10 16" width="0.65em" height="1em">
            <rect x="1" y="5" width="7" height="7" fill="none" stroke="currentColor" />
          </svg>{' '}
          no public test was run
        </li>
      )}
      {verdicts.length > 0 && (
        <li className={classes.verdicts}>
          private tests:
          {verdicts.map((verdict) => {
            const { glyph, label, token } = verdictStyle(verdict);
            // Before the final grade, and in a replay that hides it.
            const name = verdict === null ? 'not known yet' : label.toLowerCase();
            return (
              <span key={name}>
                <b style={{ color: tint(token) }}>{glyph}</b> {name}
              </span>
            );
          })}
        </li>
      )}
      <li title={answerRule}>
        <svg aria-hidden="true" viewBox="0 0 30 16" width="1.9em" height="1em">
          <path d="M0 8h10" stroke="currentColor" strokeWidth="2.4" />
          <rect
            x="11"
            y="3"
            width="17"
            height="10"
            rx="2.5"
            fill="none"
            stroke="currentColor"
            strokeWidth="2"
          />
        </svg>{' '}
        answer
      </li>
    </ul>
  );
});

/**
 * At one width a legend never gets lower: its entries depend on the zoom, and a fitted zoom on the room that the legend
 * leaves, so without this both could change each other for ever.
 */
function useHighestHeight(paneWidth: number) {
  const list = useRef<HTMLUListElement>(null);
  const highest = useRef({ paneWidth, height: 0 });
  useLayoutEffect(() => {
    const element = list.current;
    if (element === null) return;
    if (highest.current.paneWidth !== paneWidth) {
      highest.current = { paneWidth, height: 0 };
      element.style.minHeight = '';
    }
    highest.current.height = Math.max(highest.current.height, element.offsetHeight);
    element.style.minHeight = `${highest.current.height}px`;
  });
  return list;
}

function tint(token: string): string {
  return token.startsWith('--') ? `var(${token})` : token;
}

/** The verdicts that some node has on the private tests, and whether one has none on the public tests. */
export function marksOf(nodes: readonly Pick<NodeView, 'privateVerdict' | 'publicVerdicts'>[]): {
  readonly verdicts: readonly (Verdict | null)[];
  readonly hasUntested: boolean;
} {
  const verdicts = new Set(nodes.map(({ privateVerdict }) => privateVerdict));
  return {
    // Passing first, and what is not known yet last.
    verdicts: [...verdicts].sort((a, b) => place(a) - place(b)),
    hasUntested: nodes.some(({ publicVerdicts }) => publicVerdicts.length === 0),
  };
}

const place = (verdict: Verdict | null): number => (verdict === 'passed' ? 0 : verdict === null ? 2 : 1);
