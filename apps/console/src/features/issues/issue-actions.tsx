import { Button, Group } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconCheck, IconUserCheck } from '@tabler/icons-react';
import { answerOf, api } from '../../api';
import { ReasonDialog, useCommand } from '../../feedback';
import { useMay } from '../../signed-in/use-me';
import { nameOfIssue, type Issue } from './issue-words';

/** Acknowledge and resolve, for on-call staff; nothing for a resolved issue. */
export function IssueActions({ issue, isSmall = false }: { issue: Issue; isSmall?: boolean }) {
  const isOnCall = useMay('oncall');
  const run = useCommand();
  const [isAcknowledging, acknowledging] = useDisclosure(false);
  const [isResolving, resolving] = useDisclosure(false);
  if (!isOnCall || issue.state === 'resolved') return null;
  const params = { path: { id: issue.id } };
  const name = nameOfIssue(issue);
  const size = isSmall ? 'compact-sm' : 'sm';
  return (
    <Group gap="xs">
      <Button
        size={size}
        variant={issue.state === 'open' ? 'filled' : 'default'}
        leftSection={<IconUserCheck size={16} aria-hidden />}
        onClick={acknowledging.open}
      >
        Acknowledge
      </Button>
      <Button
        size={size}
        variant="default"
        leftSection={<IconCheck size={16} aria-hidden />}
        onClick={resolving.open}
      >
        Resolve
      </Button>
      <ReasonDialog
        opened={isAcknowledging}
        onClose={acknowledging.close}
        title={`Acknowledge “${name}”`}
        effect={
          issue.state === 'open'
            ? 'Colleagues see that you take care of it. It is resolved automatically when its condition ends.'
            : `${issue.acknowledgedBy ?? 'A colleague'} takes care of it. Your name and note replace theirs.`
        }
        reasonLabel="Note"
        confirm="Acknowledge"
        isOptional
        onConfirm={(note) =>
          run(
            answerOf(api.POST('/v1/issues/{id}/acknowledge', { params, body: note === '' ? {} : { note } })),
            'Acknowledged',
            name,
          )
        }
      />
      <ReasonDialog
        opened={isResolving}
        onClose={resolving.close}
        title={`Resolve “${name}”`}
        effect="It leaves the list of open issues. While its condition lasts it is not opened again; when the condition returns later, a new issue is opened."
        confirm="Resolve"
        onConfirm={(reason) =>
          run(answerOf(api.POST('/v1/issues/{id}/resolve', { params, body: { reason } })), 'Resolved', name)
        }
      />
    </Group>
  );
}
