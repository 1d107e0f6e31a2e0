import { Text } from '@mantine/core';
import type { ReactNode } from 'react';

/** One named fact; inside a `dl`. */
export function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div style={{ minWidth: 0, overflowWrap: 'anywhere' }}>
      <Text component="dt" size="sm" c="dimmed">
        {name}
      </Text>
      <Text component="dd" m={0} lh={1.4}>
        {children}
      </Text>
    </div>
  );
}
