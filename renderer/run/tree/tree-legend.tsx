import { memo } from 'react';
import type { Agent } from '../../../preload/contract';
import { verdictStyle } from '../../theme';
import { AgentMark } from './agent-mark';
import classes from './tree-canvas.module.css';

/** What shapes, rings, squares and marks of the picture mean. */
export const TreeLegend = memo(function TreeLegend(props: {
  readonly agents: readonly Agent[];
  /** Chips have the room for the squares of their public tests. */
  readonly showsStrip: boolean;
}) {
  const { agents, showsStrip } = props;
  const passed = verdictStyle('passed');
  const wrong = verdictStyle('wrong-answer');
  return (
    <ul className={classes.legend} aria-label="Legend">
      {agents.map((agent, position) => (
        <li key={agent.id}>
          <AgentMark position={position} /> {agent.name}
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
          public tests
        </li>
      )}
      <li>
        <b style={{ color: tint(passed.token) }}>{passed.glyph}</b>{' '}
        <b style={{ color: tint(wrong.token) }}>{wrong.glyph}</b> private tests
      </li>
      <li>
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

function tint(token: string): string {
  return token.startsWith('--') ? `var(${token})` : token;
}
