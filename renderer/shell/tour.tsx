import { Button, CloseButton } from '@mantine/core';
import { useLayoutEffect, useState } from 'react';
import { readyValue, useRoute, useStoredFlag, useStudies } from '../state/index';
import styles from './tour.module.css';
import { TOUR } from './tour-steps';

/**
 * Four sentences for who opens the workbench for the first time, on the empty home screen alone. It covers nothing that
 * can be pressed, takes no focus, and comes again only when it is asked for.
 */
export function Tour(props: { readonly asked: boolean; readonly onEnd: () => void }) {
  const [seen, setSeen] = useStoredFlag('tour-seen', false);
  const atHome = useRoute().kind === 'home';
  const isEmpty = readyValue(useStudies())?.length === 0;
  if (!props.asked && (seen || !atHome || !isEmpty)) return null;
  return (
    <TourCard
      onEnd={() => {
        setSeen(true);
        props.onEnd();
      }}
    />
  );
}

function TourCard(props: { readonly onEnd: () => void }) {
  const [at, setAt] = useState(0);
  const step = TOUR[at];
  if (step === undefined) return null;
  const isLast = at === TOUR.length - 1;
  return (
    <>
      <Ring at={step.at} />
      <section className={styles.card} aria-label="Tour">
        <CloseButton
          size="sm"
          className={styles.close ?? ''}
          aria-label="End the tour"
          onClick={props.onEnd}
        />
        <h2>{step.title}</h2>
        <p aria-live="polite">{step.text}</p>
        <div className={styles.foot}>
          <span>
            {at + 1} of {TOUR.length}
          </span>
          {at > 0 && (
            <Button variant="subtle" size="compact-sm" onClick={() => setAt(at - 1)}>
              Back
            </Button>
          )}
          <Button
            variant="default"
            size="compact-sm"
            onClick={() => (isLast ? props.onEnd() : setAt(at + 1))}
          >
            {isLast ? 'Done' : 'Next'}
          </Button>
        </div>
      </section>
    </>
  );
}

/** Around what the step is about, if it is on the screen. */
function Ring(props: { readonly at: string }) {
  const [box, setBox] = useState<DOMRect | null>(null);
  useLayoutEffect(() => {
    const look = (): void => setBox(document.querySelector(props.at)?.getBoundingClientRect() ?? null);
    look();
    // What it is about may come later, move or go: a few looks a second cost nothing and miss nothing.
    const timer = setInterval(look, 300);
    window.addEventListener('resize', look);
    return () => {
      clearInterval(timer);
      window.removeEventListener('resize', look);
    };
  }, [props.at]);
  if (box === null) return null;
  return (
    <div
      className={styles.ring}
      aria-hidden="true"
      style={{ left: box.left - 4, top: box.top - 4, width: box.width + 8, height: box.height + 8 }}
    />
  );
}
