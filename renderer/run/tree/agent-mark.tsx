import { type AgentShape, agentStyle } from '../../theme';

const PATHS: Readonly<Record<AgentShape, string>> = {
  circle: 'M8 3a5 5 0 1 0 0 10a5 5 0 1 0 0-10z',
  square: 'M3.5 3.5h9v9h-9z',
  triangle: 'M8 2.6L14 13H2z',
  diamond: 'M8 1.8L14.2 8L8 14.2L1.8 8z',
};

/** An agent's shape in its colour, at text size. Decorative: name the agent next to it. */
export function AgentMark({ position, hollow = false }: { position: number; hollow?: boolean }) {
  const { shape, color } = agentStyle(position);
  const paint = color.startsWith('--') ? `var(${color})` : color;
  return (
    <svg
      aria-hidden="true"
      viewBox="0 0 16 16"
      width="0.95em"
      height="0.95em"
      style={{ verticalAlign: '-0.1em', flex: 'none' }}
    >
      <path d={PATHS[shape]} fill={hollow ? 'none' : paint} stroke={paint} strokeWidth={hollow ? 1.6 : 0} />
    </svg>
  );
}
