import type { Verdict } from '../../../preload/contract';
import { verdictStyle } from '../../theme';
import classes from './node-inspector.module.css';

/** Maximum number of cells; the rest is counted. */
const MAX_CELLS = 48;

/** A cell per test with the verdict's glyph; one image with one name for screen readers. */
export function VerdictStrip({ verdicts, label }: { verdicts: readonly Verdict[]; label: string }) {
  if (verdicts.length === 0) return null;
  const passed = verdicts.filter((verdict) => verdict === 'passed').length;
  return (
    <span
      className={classes.strip}
      role="img"
      aria-label={`${label}: ${passed} of ${verdicts.length} passed`}
    >
      {verdicts.slice(0, MAX_CELLS).map((verdict, i) => {
        const glyph = verdictStyle(verdict);
        return (
          <span
            key={i}
            className={classes.cell}
            style={{ color: `var(${glyph.token})` }}
            data-passed={verdict === 'passed' || undefined}
            title={`${label} test ${i + 1}: ${glyph.label.toLowerCase()}`}
          >
            {glyph.glyph}
          </span>
        );
      })}
      {verdicts.length > MAX_CELLS && <span className={classes.soft}>+{verdicts.length - MAX_CELLS}</span>}
    </span>
  );
}

/** Glyph and words of one verdict; null is a test that was not run. */
export function VerdictText({ verdict }: { verdict: Verdict | null }) {
  const glyph = verdictStyle(verdict);
  return (
    <span className={classes.verdict} style={{ color: `var(${glyph.token})` }}>
      <b aria-hidden="true">{glyph.glyph}</b> {glyph.label}
    </span>
  );
}
