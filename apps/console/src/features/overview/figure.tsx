import { Paper, Text } from '@mantine/core';

interface FigureProps {
  name: string;
  value: string;
  /** The unit, or what it is of. */
  about: string;
}

/** One number that is read from afar; inside a `dl`. */
export function Figure({ name, value, about }: FigureProps) {
  return (
    <Paper withBorder p="sm" component="div">
      <Text component="dt" size="sm" c="dimmed">
        {name}
      </Text>
      <Text component="dd" m={0}>
        <Text span fw={700} fz="1.6rem" lh={1.2}>
          {value}
        </Text>
        <br />
        <Text span size="sm">
          {about}
        </Text>
      </Text>
    </Paper>
  );
}
