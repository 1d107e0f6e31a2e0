import { Button, Group } from '@mantine/core';
import { IconCircleCheck, IconClock, IconHistory } from '@tabler/icons-react';
import { useState } from 'react';
import { answerOf, api, doneBy, type Schema } from '../../../api';
import { ConfirmDialog, QueryState, ReasonDialog, useCommand } from '../../../feedback';
import { type Look, Time, ToneBadge } from '../../../formats';
import { useCredentials, type Consumer } from '../../../queries/use-consumers';
import { type Column, DataTable } from '../../../tables';

type Version = Schema<'CredentialVersionDto'>;

/** The state of a version. */
const VERSION_STATES: Readonly<Record<Version['state'], Look & { hint: string }>> = {
  current: { label: 'Current', hint: 'Used by every attempt', tone: 'good', icon: IconCircleCheck },
  coming: { label: 'Scheduled', hint: 'Used from its time on', tone: 'busy', icon: IconClock },
  former: { label: 'Former', hint: 'Was current, and can be again', tone: 'quiet', icon: IconHistory },
};

const COLUMNS: readonly Column<Version>[] = [
  { header: 'Version', cell: ({ version }) => `Version ${String(version)}` },
  { header: 'State', cell: ({ state }) => <ToneBadge {...VERSION_STATES[state]} /> },
  { header: 'Effective from', cell: ({ activateAt }) => <Time at={activateAt} isExact /> },
];

/** The words for an operator, and for the consumer's own people. */
const WORDS = {
  theirs: {
    ready: 'The customer must be ready for it.',
    afterwards: ' Ask the customer not to change over.',
    done: (version: number, name: string) => `Version ${String(version)} of ${name}.`,
  },
  own: {
    ready: 'Your system must accept it.',
    afterwards: '',
    done: (version: number) => `It is version ${String(version)}.`,
  },
} as const;

interface VersionsProps {
  consumer: Pick<Consumer, 'id' | 'name'>;
  whose: keyof typeof WORDS;
  /** The columns after the time from which a version is used. */
  columns: readonly Column<Version>[];
  mayChange: boolean;
}

/** The versions of a consumer's credentials, for operators and for its own people. */
export function Versions({ consumer, whose, columns, mayChange }: VersionsProps) {
  const query = useCredentials(consumer.id);
  const actions: Column<Version> = {
    header: 'Actions',
    cell: (version) => <VersionActions {...version} consumer={consumer} whose={whose} />,
  };
  return (
    <>
      <QueryState query={query} what="versions" />
      {query.data !== undefined && (
        <DataTable
          caption="Versions of the credentials"
          columns={[...COLUMNS, ...columns, ...(mayChange ? [actions] : [])]}
          rows={query.data}
          rowId={({ version }) => String(version)}
        />
      )}
    </>
  );
}

/** Activates a scheduled or a former version now, or deletes a scheduled one. */
function VersionActions({
  version,
  state,
  consumer: { id, name: consumerName },
  whose,
}: Version & Pick<VersionsProps, 'consumer' | 'whose'>) {
  const run = useCommand();
  const [open, setOpen] = useState<'activate' | 'delete' | null>(null);
  const close = (): void => setOpen(null);
  if (state === 'current') return '–';
  const { ready, afterwards, done } = WORDS[whose];
  const params = { path: { id, version } };
  const inWords = done(version, consumerName);
  const name = `version ${String(version)}`;
  const verb = state === 'coming' ? 'Activate now' : 'Restore';
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
        effect={`Every attempt from now on uses this version, including deliveries that already wait. ${ready} The current version is kept and can be restored.`}
        confirm={verb}
        isOptional={whose === 'own'}
        onConfirm={(reason) =>
          run(
            answerOf(
              api.POST('/v1/consumers/{id}/credentials/{version}/activate', {
                params,
                body: reason === '' ? {} : { reason },
              }),
            ),
            'Activated',
            inWords,
          )
        }
      />
      <ConfirmDialog
        opened={open === 'delete'}
        onClose={close}
        title={`Delete ${name}`}
        effect={`It will not be used, and its values are deleted. The current version stays.${afterwards}`}
        confirm="Delete version"
        onConfirm={() =>
          run(doneBy(api.DELETE('/v1/consumers/{id}/credentials/{version}', { params })), 'Deleted', inWords)
        }
      />
    </Group>
  );
}
