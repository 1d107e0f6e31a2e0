import { Anchor, Paper, SimpleGrid, Text } from '@mantine/core';
import { Link } from 'react-router';
import type { Schema } from '../../api';
import {
  countInWords,
  durationInWords,
  percentInWords,
  Time,
  useNow,
  deadPath,
  trendInWords,
} from '../../formats';

type Queue = Schema<'OverviewDto'>;

/** The five key figures; each links to its details. */
export function Figures({ figures, backlog }: Pick<Queue, 'figures' | 'backlog'>) {
  const { waiting, oldestDueAt, dead, consumers, consumersReceivingAll, successShare, consumersDown } =
    figures;
  const now = useNow();
  const facts = [
    { name: 'Waiting', value: countInWords(waiting), about: trendInWords(backlog), to: '#waiting' },
    {
      name: 'Longest overdue',
      value: oldestDueAt === null ? '–' : durationInWords(Math.max(1_000, now - Date.parse(oldestDueAt))),
      about: <Since at={oldestDueAt} />,
      to: '/deliveries?state=queued',
    },
    {
      name: 'Dead deliveries to handle',
      value: countInWords(dead.count),
      about: <Since at={dead.oldestAt} />,
      to: deadPath(),
      isBad: dead.count > 0,
    },
    {
      name: 'Receive everything',
      value: `${countInWords(consumersReceivingAll)} of ${countInWords(consumers)}`,
      about: `consumers${successShare === null ? '' : `; ${percentInWords(successShare)} of attempts to them succeed`}`,
      to: '/consumers?health=attention',
    },
    {
      name: 'Consumers down',
      value: countInWords(consumersDown),
      to: '/consumers?health=down',
      isBad: consumersDown > 0,
    },
  ];
  return (
    <SimpleGrid component="dl" aria-label="Figures" cols={{ base: 2, sm: 5 }} spacing="xs" m={0}>
      {facts.map(({ name, value, about = '', to, isBad = false }) => (
        <Paper key={name} withBorder px="sm" py={4} component="div">
          <Text component="dt" size="sm">
            <Anchor
              inherit
              renderRoot={(props) =>
                to.startsWith('#') ? <a href={to} {...props} /> : <Link to={to} {...props} />
              }
            >
              {name}
            </Anchor>
          </Text>
          <Text component="dd" m={0} size="xs">
            <Text span fw={700} fz="1.4rem" lh={1.2} {...(isBad ? { c: 'var(--mantine-color-error)' } : {})}>
              {value}
            </Text>{' '}
            {about}
          </Text>
        </Paper>
      ))}
    </SimpleGrid>
  );
}

const Since = ({ at }: { at: string | null }) =>
  at !== null && (
    <>
      since <Time at={at} />
    </>
  );
