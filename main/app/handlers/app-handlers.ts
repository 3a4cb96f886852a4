import type {
  CheckedPayload,
  Refusal,
  Settings,
  Value,
  WorkbenchEvent,
} from '../../../preload/contract/index';
import { type Emitter, ok, type Result } from '../../base/index';
import type { Grader } from '../../grading/index';
import type { Registry } from '../../storage/index';
import type { Handlers } from '../dispatch';
import type { GraderProvider } from '../grader-provider';

/** The grader as `app.info` has it. */
export function graderInfo(grader: Grader | null): Value<'app.info'>['grader'] {
  if (grader === null) return null;
  const { python, isolation, cpuFactor } = grader;
  const packages = grader.packages.map(({ name, version }) => `${name} ${version}`);
  const health = grader.health();
  return {
    python,
    ...grader.choice,
    packages,
    isolation,
    cpuFactor,
    problem: health.kind === 'broken' ? health.message : null,
  };
}

/** Facts about the workbench, and its settings. */
export function appHandlers(deps: {
  readonly registry: Pick<Registry, 'read' | 'update'>;
  readonly grader: GraderProvider;
  readonly events: Emitter<WorkbenchEvent>;
  readonly appVersion: string;
  readonly dataDir: string;
}): Handlers {
  const { registry, grader, events, appVersion, dataDir } = deps;
  const changeSettings = async (
    part: CheckedPayload<'settings.change'>,
  ): Promise<Result<Settings, Refusal>> => {
    const changes = Object.fromEntries(Object.entries(part).filter(([, value]) => value !== undefined));
    const before = registry.read().settings;
    const saved = await registry.update((data) => ({ ...data, settings: { ...data.settings, ...changes } }));
    if (!saved.ok) return saved;
    const { settings } = saved.value;
    const gradingChanged =
      settings.gradeWithoutSandbox !== before.gradeWithoutSandbox ||
      settings.gradingMachine !== before.gradingMachine ||
      settings.gradingPython !== before.gradingPython ||
      settings.harmlessTogether !== before.harmlessTogether;
    if (gradingChanged) await grader.close();
    events.emit({ kind: 'settings-changed', settings });
    return ok(settings);
  };

  return {
    'app.info': async () =>
      ok({
        version: appVersion,
        dataDir,
        platform: process.platform,
        ...(await grader.problem()),
        grader: graderInfo(grader.current()),
        runsAsRoot: process.getuid?.() === 0,
      }),
    'app.openGrader': async () => {
      const opened = await grader.open();
      return opened.ok ? ok(null) : opened;
    },
    'settings.read': async () => ok(registry.read().settings),
    'settings.change': changeSettings,
  };
}
