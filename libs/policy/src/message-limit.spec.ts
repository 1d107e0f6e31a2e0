import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { ISSUE_KINDS, type IssueKind } from '#libs/contracts';
import { isSevere, MOST_ANNOUNCED, MOST_MINOR, withinLimit } from './message-limit.js';

const kinds = (maxLength: number) => fc.array(fc.constantFrom(...ISSUE_KINDS), { maxLength });
const openings = kinds(60).map((all) => all.map((kind, id) => ({ id, kind })));
const minorOf = (all: readonly IssueKind[]) => all.filter((kind) => !isSevere(kind));

describe('withinLimit', () => {
  it('permits at most 20 issues, of them at most 10 minor ones, with what was announced before', () => {
    fc.assert(
      fc.property(openings, kinds(25), (due, announced) => {
        const permitted = [...withinLimit(due, announced)].map(({ kind }) => kind);
        expect(permitted.length).toBeLessThanOrEqual(Math.max(0, MOST_ANNOUNCED - announced.length));
        expect(minorOf(permitted).length).toBeLessThanOrEqual(
          Math.max(0, MOST_MINOR - minorOf(announced).length),
        );
      }),
    );
  });

  it('permits every opening while there is room, and no minor one takes the place of a severe one', () => {
    fc.assert(
      fc.property(openings, kinds(25), (due, announced) => {
        const permitted = withinLimit(due, announced);
        const severe = due.filter(({ kind }) => isSevere(kind));
        const room = Math.max(0, MOST_ANNOUNCED - announced.length);
        expect(severe.filter((opening) => permitted.has(opening))).toEqual(severe.slice(0, room));
        const minor = due.filter(({ kind }) => !isSevere(kind));
        const minorRoom = Math.min(room - severe.length, MOST_MINOR - minorOf(announced).length);
        expect(minor.filter((opening) => permitted.has(opening))).toEqual(
          minor.slice(0, Math.max(0, minorRoom)),
        );
      }),
    );
  });

  it('ten minor issues leave ten places for severe ones', () => {
    const due = [...Array<IssueKind>(15).fill('degraded'), ...Array<IssueKind>(15).fill('down')].map(
      (kind, id) => ({ id, kind }),
    );
    const permitted = [...withinLimit(due, Array<IssueKind>(10).fill('api_key_expiring'))];
    expect(permitted.map(({ kind }) => kind)).toEqual(Array<IssueKind>(10).fill('down'));
  });
});
