import { Button, Group, Text } from '@mantine/core';
import { IconChevronDown, IconChevronUp } from '@tabler/icons-react';
import { useId, useState } from 'react';
import { Time } from '../../formats/time';
import styles from './audit.module.css';
import { EntryDetails } from './entry-details';
import { EntryInWords } from './entry-in-words';
import type { AuditEntry } from './use-audit';

/** One entry: what happened, in which role and from where; what it changed, on demand. */
export function EntryItem({ entry }: { entry: AuditEntry }) {
  const [isOpen, setIsOpen] = useState(false);
  const id = useId();
  const { at, role, address } = entry;
  return (
    <li className={styles['entry']}>
      <Group justify="space-between" align="flex-start" wrap="nowrap">
        <div>
          <Text id={`${id}-what`}>
            <EntryInWords entry={entry} />
          </Text>
          <Text size="sm" c="dimmed" component="div">
            <Time at={at} />
            {role === null ? ' · by itself' : ` · in the role ${role}`}
            {address !== null && ` · from ${address}`}
          </Text>
        </div>
        <Button
          variant="default"
          size="compact-sm"
          style={{ flexShrink: 0 }}
          aria-expanded={isOpen}
          aria-controls={`${id}-details`}
          aria-describedby={`${id}-what`}
          rightSection={isOpen ? <IconChevronUp size={14} /> : <IconChevronDown size={14} />}
          onClick={() => setIsOpen(!isOpen)}
        >
          Details
        </Button>
      </Group>
      <div id={`${id}-details`}>{isOpen && <EntryDetails entry={entry} />}</div>
    </li>
  );
}
