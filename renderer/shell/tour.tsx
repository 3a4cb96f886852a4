import { Button, CloseButton } from '@mantine/core';
import { useLayoutEffect, useState } from 'react';
import { readyValue, useRoute, useStoredFlag, useStudies } from '../state/index';
import styles from './tour.module.css';
import { TOUR } from './tour-steps';

/**
 * Four cards for people who open the workbench for the first time, on the empty home screen only. It covers no control,
 * takes no focus, and is shown again only on request.
 */
export function Tour(props: { readonly isRequested: boolean; readonly onEnd: () => void }) {
  const [seen, setSeen] = useStoredFlag('tour-seen', false);
  const atHome = useRoute().kind === 'home';
  const isEmpty = readyValue(useStudies())?.length === 0;
  if (!props.isRequested && (seen || !atHome || !isEmpty)) return null;
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
      <section className={styles.card} data-tour aria-label="Tour">
        <CloseButton
          size="sm"
          className={styles.close ?? ''}
          aria-label="End the tour"
          onClick={props.onEnd}
        />
        <div aria-live="polite">
          <h2>{step.title}</h2>
          <p>{step.text}</p>
        </div>
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

/** A frame around the element that the step explains, if it is on the screen. */
function Ring(props: { readonly at: string }) {
  const [box, setBox] = useState<DOMRect | null>(null);
  useLayoutEffect(() => {
    const measure = (): void => setBox(document.querySelector(props.at)?.getBoundingClientRect() ?? null);
    measure();
    // The element may appear, move or go at any time.
    const timer = setInterval(measure, 300);
    window.addEventListener('resize', measure);
    return () => {
      clearInterval(timer);
      window.removeEventListener('resize', measure);
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
