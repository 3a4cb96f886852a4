/**
 * The core of long work (studies, jobs, trainings, plans). A service keeps records of what users want, observes the
 * actual state, lets a pure `NextAction` (see main/base) decide what is due for one record, does it, and observes
 * again. A reconciler runs these passes (ticks), one at a time.
 */
export {
  createReconciler,
  type ReconcileProblem,
  type Reconciler,
  type ReconcilerOptions,
  reportUnreadable,
  type Tick,
} from './reconciler';
