import { Button, Group } from '@mantine/core';
import { IconCircleCheck, IconClock, IconHistory } from '@tabler/icons-react';
import { useState } from 'react';
import type { Schema } from '../../../api';
import { ConfirmDialog, QueryState, type QueryStateProps, ReasonDialog } from '../../../feedback';
import { type Look, Time, ToneBadge } from '../../../formats';
import { type Column, DataTable } from '../../../tables';

type Version = Schema<'PortalCredentialVersionDto'>;

/** The state of a version. */
const VERSION_STATES: Readonly<Record<Version['state'], Look & { hint: string }>> = {
  current: { label: 'Current', hint: 'Used by every attempt', tone: 'good', icon: IconCircleCheck },
  coming: { label: 'Scheduled', hint: 'Used from its time on', tone: 'busy', icon: IconClock },
  former: { label: 'Former', hint: 'Was current, and can be again', tone: 'quiet', icon: IconHistory },
};

const COLUMNS: readonly Column<Version>[] = [
  { header: 'Version', cell: ({ version }) => `Version ${String(version)}` },
  { header: 'Status', cell: ({ state }) => <ToneBadge {...VERSION_STATES[state]} /> },
  { header: 'Effective from', cell: ({ activateAt }) => <Time at={activateAt} /> },
];

/** What may be done with a version. */
interface VersionCommands {
  activate: (version: number, reason: string) => Promise<unknown>;
  /** The api requires no reason. */
  isOptional?: boolean;
  /** Who must be ready before it is activated. */
  ready: string;
  remove: (version: number) => Promise<unknown>;
  /** What else to do when a scheduled one is deleted. */
  afterwards?: string;
}

interface VersionsProps<Row extends Version> {
  query: QueryStateProps['query'] & { data: readonly Row[] | undefined };
  /** The columns after the time from which a version is used. */
  columns: readonly Column<Row>[];
  /** Absent for people who may change nothing. */
  commands?: VersionCommands | undefined;
}

/** The versions of a consumer's credentials, for operators and for its own people. */
export function Versions<Row extends Version>({ query, columns, commands }: VersionsProps<Row>) {
  const actions = commands && [
    { header: 'Actions', cell: (row: Row) => <VersionActions {...row} commands={commands} /> },
  ];
  return (
    <>
      <QueryState query={query} what="versions" />
      {query.data !== undefined && (
        <DataTable
          caption="Versions of the credentials"
          columns={[...COLUMNS, ...columns, ...(actions ?? [])]}
          rows={query.data}
          rowId={({ version }) => String(version)}
        />
      )}
    </>
  );
}

/** Activates a scheduled or a former version now, or deletes a scheduled one. */
function VersionActions({ version, state, commands }: Version & { commands: VersionCommands }) {
  const [open, setOpen] = useState<'activate' | 'delete' | null>(null);
  const close = (): void => setOpen(null);
  if (state === 'current') return '–';
  const name = `version ${String(version)}`;
  const verb = state === 'coming' ? 'Activate now' : 'Go back to it';
  const small = { size: 'compact-sm', variant: 'default' } as const;
  return (
    <Group gap="xs">
      <Button {...small} onClick={() => setOpen('activate')} aria-label={`${verb}: ${name}`}>
        {verb}
      </Button>
      {state === 'coming' && (
        <Button {...small} onClick={() => setOpen('delete')} aria-label={`Delete ${name}`}>
          Delete
        </Button>
      )}
      <ReasonDialog
        opened={open === 'activate'}
        onClose={close}
        title={`${verb}: ${name}`}
        effect={`Every attempt from now on uses this version, including deliveries that already wait. ${commands.ready} The current version is kept; you can go back to it.`}
        confirm={verb}
        isOptional={commands.isOptional === true}
        onConfirm={(reason) => commands.activate(version, reason)}
      />
      <ConfirmDialog
        opened={open === 'delete'}
        onClose={close}
        title={`Delete ${name}`}
        effect={`It will not be used, and its values are deleted. The current version stays. ${commands.afterwards ?? ''}`.trimEnd()}
        confirm="Delete version"
        onConfirm={() => commands.remove(version)}
      />
    </Group>
  );
}
