import { expect, test } from 'vitest';
import { parsePath, type Route } from '../../../renderer/state';
import { AXE_SCREENS } from '../../e2e/support/axe-screens';
import { SHOTS } from '../../support/preview/shoot.mjs';

/** Why a kind of place has no screen of its own in the check by axe; null: it has. A new kind must be named here. */
const KINDS: Readonly<Record<Route['kind'], string | null>> = {
  activity: null,
  benchmark: null,
  compare: null,
  'edit-exhibit': 'the form of new-exhibit',
  'edit-machine': null,
  exhibit: null,
  exhibits: null,
  experiment: null,
  experiments: null,
  home: null,
  jobs: null,
  launches: null,
  library: null,
  machine: null,
  machines: null,
  'new-exhibit': null,
  'new-experiment': null,
  'new-job': null,
  'new-launch': null,
  'new-machine': null,
  'new-study': null,
  'new-training': null,
  reproduction: 'goes on to its exhibit',
  run: null,
  servers: null,
  settings: null,
  studies: null,
  study: null,
  terminals: null,
  training: null,
  trainings: null,
  unknown: null,
  usage: null,
};

test('axe checks every kind of place, but for those that are excused by name', () => {
  const checked = new Set(AXE_SCREENS.map((name) => parsePath(SHOTS[name].at.slice(1)).kind));
  for (const [kind, excuse] of Object.entries(KINDS)) {
    expect({ kind, isChecked: [...checked].some((one) => one === kind) }).toEqual({
      kind,
      isChecked: excuse === null,
    });
  }
});
