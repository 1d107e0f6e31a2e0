import { Anchor, List, Text } from '@mantine/core';
import { Section } from '../../../page/section';

/** The function of each language and the test vectors, as files of the built console. */
const FILES = Object.entries(
  import.meta.glob<string>('../../../../../../verifiers/{*/*[vV]erif*.*,vectors.json}', {
    query: '?url',
    import: 'default',
    eager: true,
  }),
).map(([path, address]) => {
  const [folder = '', file = ''] = path.split('/').slice(-2);
  return { folder, file, address };
});

/** The languages by the folder of their file. */
const LANGUAGES: Readonly<Record<string, string>> = {
  csharp: 'C# (.NET Core 2.0 or .NET Framework 4.7.1, and later)',
  go: 'Go (1.18 and later)',
  java: 'Java (17 and later)',
  php: 'PHP (8.0 and later)',
  python: 'Python (3.6 and later)',
  ruby: 'Ruby (2.7 and later)',
  shell: 'Shell, with openssl',
  typescript: 'TypeScript (Node 18 and later)',
  verifiers: 'Any other: requests with the expected result, as tests of your own code',
};

/** Functions that verify a notification, to save. */
export const Verifiers = () => (
  <Section title="Code that verifies notifications">
    <Text>
      One function without dependencies for each language: save the file, and copy it into your project.
    </Text>
    <List>
      {FILES.map(({ folder, file, address }) => (
        <List.Item key={address}>
          {LANGUAGES[folder]}:{' '}
          <Anchor href={address} download={file} inherit>
            {file}
          </Anchor>
        </List.Item>
      ))}
    </List>
  </Section>
);
