import { ActionIcon, Button, Kbd, Modal, Stack } from '@mantine/core';
import { useDisclosure, useHotkeys } from '@mantine/hooks';
import { IconSearch } from '@tabler/icons-react';
import { useState } from 'react';
import { SearchForm, SearchHits } from './search-hits';

/** The search in the header; `/` and Ctrl-K open it. */
export function GlobalSearch() {
  const [isOpen, { open, close }] = useDisclosure(false);
  useHotkeys([['mod+K', open]], []);
  return (
    <>
      <Button
        variant="default"
        visibleFrom="sm"
        leftSection={<IconSearch size={16} aria-hidden />}
        rightSection={
          <Kbd size="xs" aria-hidden>
            Ctrl K
          </Kbd>
        }
        onClick={open}
        data-search
      >
        Search
      </Button>
      <ActionIcon variant="default" size="lg" hiddenFrom="sm" aria-label="Search" onClick={open}>
        <IconSearch size={20} />
      </ActionIcon>
      <Modal opened={isOpen} onClose={close} title="Search">
        {isOpen && <Search onOpen={close} />}
      </Modal>
    </>
  );
}

function Search({ onOpen }: { onOpen: () => void }) {
  const [wanted, setWanted] = useState('');
  return (
    <Stack gap="sm">
      <SearchForm label="Any id, or a name" verb="Search" onSearch={setWanted} />
      {wanted !== '' && <SearchHits wanted={wanted} onOpen={onOpen} />}
    </Stack>
  );
}
