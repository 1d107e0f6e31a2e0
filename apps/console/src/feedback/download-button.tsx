import { Button } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { IconDownload } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';

/** Saves what the api answers as a file of this name. */
export function DownloadButton(props: { label: string; file: string; load: () => Promise<Blob> }) {
  const { label, file, load } = props;
  const download = useMutation({
    mutationFn: load,
    onSuccess: (content) => {
      const link = document.createElement('a');
      link.href = URL.createObjectURL(content);
      link.download = file;
      link.click();
      URL.revokeObjectURL(link.href);
    },
    onError: ({ message }) => notifications.show({ color: 'red', title: `${file} not saved`, message }),
  });
  return (
    <Button
      variant="default"
      leftSection={<IconDownload size={16} aria-hidden />}
      loading={download.isPending}
      onClick={() => download.mutate()}
    >
      {label}
    </Button>
  );
}
