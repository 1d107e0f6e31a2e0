import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { ISSUE_KINDS, type IssueKind } from '#libs/contracts';
import { MOST_ANNOUNCED, MOST_MINOR, MOST_OF_ONE, withinLimit, type Opening } from './message-limit.js';
import { severityOf } from './severity.js';

/** Openings of a few consumers and of the installation; few enough consumers to reach the limit of one. */
const openings = (maxLength: number) =>
  fc.array(
    fc.record({
      kind: fc.constantFrom(...ISSUE_KINDS),
      consumer_id: fc.option(fc.constantFrom('a', 'b', 'c', 'd', 'e')),
    }),
    { maxLength },
  );
const isPage = ({ kind }: Pick<Opening, 'kind'>) => severityOf(kind) === 'page';
const minorOf = (all: readonly Opening[]) => all.filter(({ kind }) => !isPage({ kind }));
const placeOf = ({ kind, consumer_id }: Opening) => `${kind} ${consumer_id ?? ''}`;
const many = (count: number, kind: IssueKind, of: (index: number) => string | null): Opening[] =>
  Array.from({ length: count }, (_, index) => ({ kind, consumer_id: of(index) }));

describe('withinLimit', () => {
  it('permits at most 20 issues, of them at most 10 minor ones and 2 of a consumer and kind, with those announced before', () => {
    fc.assert(
      fc.property(openings(60), openings(25), (due, announced) => {
        const permitted = [...withinLimit(due, announced)];
        const room = (most: number, used: number) => Math.max(0, most - used);
        expect(permitted.length).toBeLessThanOrEqual(room(MOST_ANNOUNCED, announced.length));
        expect(minorOf(permitted).length).toBeLessThanOrEqual(room(MOST_MINOR, minorOf(announced).length));
        const ofConsumers = permitted.filter(({ consumer_id }) => consumer_id !== null);
        const before = Map.groupBy(announced, placeOf);
        for (const [place, of] of Map.groupBy(ofConsumers, placeOf))
          expect(of.length).toBeLessThanOrEqual(room(MOST_OF_ONE, before.get(place)?.length ?? 0));
      }),
    );
  });

  it('permits every opening while there is room, and no minor one takes the place of a page', () => {
    fc.assert(
      fc.property(openings(60), openings(25), (due, announced) => {
        const permitted = withinLimit(due, announced);
        const total = announced.length + permitted.size;
        const counted = due.filter((opening) => !permitted.has(opening));
        for (const opening of counted) {
          const all = [...announced, ...permitted];
          const ofOne = all.filter((one) => placeOf(one) === placeOf(opening));
          const isFullOfOne = opening.consumer_id !== null && ofOne.length >= MOST_OF_ONE;
          const isFullOfMinor = !isPage(opening) && minorOf(all).length >= MOST_MINOR;
          expect(total >= MOST_ANNOUNCED || isFullOfOne || isFullOfMinor).toBe(true);
          const isBeforeMinor = isPage(opening) && !isFullOfOne;
          expect(isBeforeMinor && minorOf([...permitted]).length > 0).toBe(false);
        }
      }),
    );
  });

  it('ten minor issues leave ten places for pages', () => {
    const due = [...many(15, 'degraded', String), ...many(15, 'down', String)];
    const permitted = [
      ...withinLimit(
        due,
        many(10, 'api_key_expiring', () => null),
      ),
    ];
    expect(permitted.map(({ kind }) => kind)).toEqual(Array<IssueKind>(10).fill('down'));
  });

  it('a consumer whose certificate changes all the time takes two places, and the others keep theirs', () => {
    const due = [...many(20, 'certificate_expiring', () => 'flapping'), ...many(8, 'degraded', String)];
    const permitted = [...withinLimit(due, [])];
    expect(permitted.map(({ consumer_id }) => consumer_id)).toEqual(['flapping', 'flapping', ...'01234567']);
  });
});
