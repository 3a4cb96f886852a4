import type { ReactNode } from 'react';
import { assertNever } from '../../preload/contract/assert-never';
import type { JobView } from '../../preload/contract/job';
import { trainingMethodOf } from '../../preload/contract/plans/index';
import type { TrainingView } from '../../preload/contract/training';
import type { MartiTraining, RecipeTraining, WatchedTraining } from '../../preload/contract/training-spec';
import { ProvenanceSection } from '../shared/provenance/index';
import { readyValue, useJobs, useMachine } from '../state/index';
import { CommandText, Fact, Facts, Section, TimeAgo } from '../widgets/index';
import { OwnSettings } from './own-settings';
import styles from './training.module.css';

/** All settings of a training, and the command that runs it. */
export function TrainingSettings({ training }: { readonly training: TrainingView }) {
  const machineName = useMachine(training.machineId)?.spec.name ?? training.machineId;
  const job = (readyValue(useJobs()) ?? []).find(({ id }) => id === training.jobId) ?? null;
  return (
    <div className={styles.order}>
      <div>
        <Section title="Training">
          <Facts label="Training">
            <Fact name="Machine">{machineName}</Fact>
            <Fact name="Created">
              <TimeAgo at={training.createdAt} />
            </Fact>
            <Fact name="Agents">{training.agents.map(({ name }) => name).join(', ') || '–'}</Fact>
            {job !== null && <Fact name="Restarts by itself">at most {job.retry.lost}</Fact>}
            <TrainingFacts training={training} />
          </Facts>
        </Section>
        {training.spec.kind !== 'watched' && <JobCommand job={job} />}
        {job !== null && <ProvenanceSection jobId={job.id} />}
      </div>
      <Settings training={training} />
    </div>
  );
}

function JobCommand({ job }: { readonly job: JobView | null }) {
  if (job === null) {
    return (
      <Section title="Command">
        <p className={styles.caption}>The job was removed, and its command with it.</p>
      </Section>
    );
  }
  return (
    <>
      {job.setUp.trim() !== '' && (
        <Section title="Set-up">
          <CommandText label="set-up" text={job.setUp} />
        </Section>
      )}
      <Section title="Command">
        <CommandText label="command" text={job.commandLine} />
      </Section>
    </>
  );
}

function TrainingFacts({ training: { spec } }: { readonly training: TrainingView }): ReactNode {
  switch (spec.kind) {
    case 'pocket':
    case 'model':
      return (
        <>
          <Fact name="Method">{trainingMethodOf(spec.method).name}</Fact>
          <Fact name="Description">{trainingMethodOf(spec.method).line}</Fact>
          <Fact name="Seed">{spec.seed}</Fact>
        </>
      );
    case 'marti':
      return (
        <>
          <Fact name="Trainer">MARTI</Fact>
          <Fact name="Preset">{spec.preset}</Fact>
        </>
      );
    case 'recipe':
      return <Fact name="Recipe">{spec.recipeId}</Fact>;
    case 'watched':
      return <Fact name="Started by">others; only its files are read</Fact>;
    default:
      return assertNever(spec);
  }
}

function Settings({ training: { spec } }: { readonly training: TrainingView }): ReactNode {
  switch (spec.kind) {
    case 'pocket':
    case 'model':
      return <OwnSettings spec={spec} />;
    case 'marti':
      return <MartiSettings spec={spec} />;
    case 'recipe':
      return <RecipeSettings spec={spec} />;
    case 'watched':
      return <WatchedFiles spec={spec} />;
    default:
      return assertNever(spec);
  }
}

function MartiSettings({ spec }: { readonly spec: MartiTraining }) {
  const flags = Object.entries(spec.flags);
  return (
    <div>
      <Section title="Paths">
        <Facts label="Paths">
          <Fact name="MARTI" mono>
            {spec.checkout}
          </Fact>
          <Fact name="Python" mono>
            {spec.python}
          </Fact>
          <Fact name="Data" mono>
            {spec.data}
          </Fact>
          <Fact name="Output" mono>
            {spec.output}
          </Fact>
          <Fact name="Ray">{spec.rayAddress ?? 'started by the trainer, on one node'}</Fact>
        </Facts>
      </Section>
      <Section title="Models">
        <Facts label="Models">
          {spec.agents.map(({ model, role }, at) => (
            <Fact key={`${at} ${model}`} name={role} mono>
              {model}
            </Fact>
          ))}
        </Facts>
      </Section>
      {flags.length > 0 && (
        <Section title="Different from the preset">
          <Facts label="Different from the preset">
            {flags.map(([name, value]) => (
              <Fact key={name} name={name} mono>
                {String(value)}
              </Fact>
            ))}
          </Facts>
        </Section>
      )}
    </div>
  );
}

function WatchedFiles({ spec: { folder, slurmId, metrics, logs } }: { readonly spec: WatchedTraining }) {
  const paths = [...new Set([folder, metrics, ...logs])].filter((path) => path !== null);
  return (
    <Section title="What is read">
      <Facts label="What is read">
        {slurmId !== null && <Fact name="Slurm job">{slurmId}</Fact>}
        {paths.map((path) => (
          <Fact key={path} name={logs.includes(path) ? 'Log' : 'Folder'} mono>
            {path}
          </Fact>
        ))}
      </Facts>
    </Section>
  );
}

function RecipeSettings({ spec }: { readonly spec: RecipeTraining }) {
  return (
    <Section title="Settings">
      <Facts label="Settings">
        {Object.entries(spec.values).map(([name, value]) => (
          <Fact key={name} name={name} mono>
            {value}
          </Fact>
        ))}
        {spec.extraArguments !== '' && (
          <Fact name="Extra arguments" mono>
            {spec.extraArguments}
          </Fact>
        )}
      </Facts>
    </Section>
  );
}
