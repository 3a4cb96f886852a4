import type { AgentStyle } from '../theme/index';

/** The mark of a series: its shape in its colour. Decorative; show its name next to it. */
export function AgentShapeMark(props: { readonly agent: AgentStyle; readonly size?: number }) {
  const { agent, size = 10 } = props;
  return (
    <svg
      width={size}
      height={size}
      viewBox="0 0 10 10"
      aria-hidden="true"
      style={{ flex: 'none' }}
      fill={agent.color}
    >
      {agent.shape === 'circle' && <circle cx="5" cy="5" r="4.2" />}
      {agent.shape === 'square' && <rect x="1" y="1" width="8" height="8" rx="1" />}
      {agent.shape === 'triangle' && <path d="M5 0.8 L9.6 9 H0.4 Z" />}
      {agent.shape === 'diamond' && <path d="M5 0.2 L9.8 5 L5 9.8 L0.2 5 Z" />}
    </svg>
  );
}
