import { Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconCheck, IconUserCheck } from '@tabler/icons-react';
import { answerOf, api } from '../../api';
import { ReasonDialog, useCommand } from '../../feedback';
import { nameOfIssue, type Issue } from './issue-words';

/** Acknowledge these issues, of which the first is the worst: the person takes care of them. */
export function AcknowledgeIssues({
  issues,
  isSmall = false,
}: {
  issues: readonly Issue[];
  isSmall?: boolean;
}) {
  const run = useCommand();
  const [isOpen, dialog] = useDisclosure(false);
  const [lead, ...others] = issues;
  if (lead === undefined) return null;
  const name = `${nameOfIssue(lead)}${others.length === 0 ? '' : `, and ${String(others.length)} more`}`;
  const acknowledge = (note: string): Promise<unknown> =>
    Promise.all(
      issues.map(({ id }) =>
        answerOf(
          api.POST('/v1/issues/{id}/acknowledge', {
            params: { path: { id } },
            body: note === '' ? {} : { note },
          }),
        ),
      ),
    );
  return (
    <>
      <Button
        size={isSmall ? 'compact-sm' : 'sm'}
        variant="default"
        leftSection={<IconUserCheck size={16} aria-hidden />}
        onClick={dialog.open}
      >
        Acknowledge
      </Button>
      <ReasonDialog
        opened={isOpen}
        onClose={dialog.close}
        title={`Acknowledge “${name}”`}
        effect={
          lead.state === 'open'
            ? 'Colleagues see that you take care of it. It is resolved automatically when its condition ends.'
            : `${lead.acknowledgedBy ?? 'A colleague'} takes care of it. Your name and note replace theirs.`
        }
        reasonLabel="Note"
        confirm="Acknowledge"
        isOptional
        onConfirm={(note) => run(acknowledge(note), 'Acknowledged', name)}
      />
    </>
  );
}

/** Resolve an issue although its condition may last. */
export function ResolveIssue({ issue }: { issue: Issue }) {
  const run = useCommand();
  const [isOpen, dialog] = useDisclosure(false);
  const name = nameOfIssue(issue);
  const params = { path: { id: issue.id } };
  return (
    <>
      <Button variant="default" leftSection={<IconCheck size={16} aria-hidden />} onClick={dialog.open}>
        Resolve
      </Button>
      <ReasonDialog
        opened={isOpen}
        onClose={dialog.close}
        title={`Resolve “${name}”`}
        effect="It leaves the list of unresolved issues. While its condition lasts it is not opened again; when the condition returns later, a new issue is opened."
        confirm="Resolve"
        onConfirm={(reason) =>
          run(answerOf(api.POST('/v1/issues/{id}/resolve', { params, body: { reason } })), 'Resolved', name)
        }
      />
    </>
  );
}
