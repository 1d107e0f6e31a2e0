import {
  Button,
  Chip,
  Group,
  Input,
  MultiSelect,
  NativeSelect,
  Select,
  Stack,
  Switch,
  TagsInput,
  TextInput,
} from '@mantine/core';
import { useForm, type UseFormReturnType } from '@mantine/form';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { ProblemAlert, fieldFaults } from '../../feedback';
import { useConsumerChoices } from '../../queries/use-consumers';
import { choicesOf, isKey } from '../../formats';
import { searchedByApi } from '../../tables';
import { ISSUE_KINDS, SEVERITIES } from '../issues/issue-words';
import { CHANNEL_KINDS } from './channel-kinds';
import { severitiesOf, type ChannelValues } from './channel-values';
import { DAYS } from './channel-words';

type Form = UseFormReturnType<ChannelValues>;

interface ChannelFormProps<Saved> {
  initial: ChannelValues;
  /** Of a channel that exists the kind is fixed, and an empty URL or key stays as it is. */
  isNew: boolean;
  save: (values: ChannelValues) => Promise<Saved>;
  onSaved: (saved: Saved) => void;
  onCancel: () => void;
}

/** The settings of a channel, in a dialog. */
export function ChannelForm<Saved>({ initial, isNew, save, onSaved, onCancel }: ChannelFormProps<Saved>) {
  const client = useQueryClient();
  const form = useForm<ChannelValues>({
    initialValues: initial,
    validate: {
      name: (name) => (name.trim() === '' ? 'Enter a name' : null),
      severities: (severities) => (severities.length === 0 ? 'Choose at least one severity' : null),
      days: (days, { hasHours }) => (hasHours && days.length === 0 ? 'Choose at least one day' : null),
    },
  });
  const saving = useMutation({
    mutationFn: save,
    // A signing secret is not kept in memory after it was shown.
    gcTime: 0,
    onSuccess: () => client.invalidateQueries(),
  });
  const submit = (values: ChannelValues): void =>
    saving.mutate(values, { onSuccess: onSaved, onError: (error) => form.setErrors(fieldFaults(error)) });
  return (
    <form onSubmit={form.onSubmit(submit)} noValidate>
      <Stack>
        <TextInput
          label="Name"
          description="As colleagues know it, e.g. Payments on call"
          required
          maxLength={100}
          data-autofocus
          {...form.getInputProps('name')}
        />
        <DestinationFields form={form} isNew={isNew} />
        <FilterFields form={form} />
        <HoursFields form={form} />
        <Switch
          label="Enabled"
          description="A disabled channel receives nothing, and misses what happens meanwhile"
          {...form.getInputProps('enabled', { type: 'checkbox' })}
        />
        {saving.error !== null && <ProblemAlert error={saving.error} title="Nothing was saved" />}
        <Group justify="flex-end">
          <Button variant="default" onClick={onCancel}>
            Back
          </Button>
          <Button type="submit" loading={saving.isPending}>
            {isNew ? 'Create channel' : 'Save'}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

function DestinationFields({ form, isNew }: { form: Form; isNew: boolean }) {
  const { kind } = form.getValues();
  const kept = isNew ? '' : ' It is not shown; leave it empty to keep it.';
  return (
    <>
      <NativeSelect
        label="Kind"
        disabled={!isNew}
        data={choicesOf(CHANNEL_KINDS)}
        value={kind}
        onChange={({ currentTarget: { value } }) =>
          isKey(CHANNEL_KINDS, value) && form.setValues({ kind: value, severities: severitiesOf(value) })
        }
        error={form.errors['kind']}
      />
      {kind === 'email' ? (
        <TagsInput
          label="Recipients"
          description="Mail addresses. Press Enter after each"
          required
          {...form.getInputProps('recipients')}
        />
      ) : (
        <TextInput
          type="url"
          label={kind === 'pagerduty' ? 'URL (only for another region)' : 'URL'}
          description={`${URLS[kind]}${kept}`}
          required={isNew && kind !== 'pagerduty'}
          maxLength={2_048}
          autoComplete="off"
          {...form.getInputProps('url')}
        />
      )}
      {kind === 'pagerduty' && (
        <TextInput
          label="Integration key"
          description={`Of an Events API v2 integration.${kept}`}
          required={isNew}
          autoComplete="off"
          {...form.getInputProps('routingKey')}
        />
      )}
    </>
  );
}

const URLS = {
  slack: 'Of an incoming webhook.',
  teams: 'Of a workflow that starts when a webhook request is received.',
  pagerduty: 'Leave it empty for accounts in the US region.',
  webhook: 'Messages are posted here with a signature like a notification’s.',
} as const;

function FilterFields({ form }: { form: Form }) {
  const { choices, onSearch } = useConsumerChoices(form.getValues().consumerIds);
  return (
    <>
      <MultiSelect
        label="Severities"
        description="PagerDuty usually announces only pages, since it wakes a person"
        required
        data={choicesOf(SEVERITIES)}
        {...form.getInputProps('severities')}
      />
      <MultiSelect
        label="Kinds of issues"
        description="Leave it empty for all"
        data={choicesOf(ISSUE_KINDS)}
        clearable
        searchable
        {...form.getInputProps('issueKinds')}
      />
      <MultiSelect
        label="Consumers"
        description="Leave it empty for all, and for issues of the installation"
        data={choices}
        onSearchChange={onSearch}
        filter={searchedByApi}
        clearable
        searchable
        {...form.getInputProps('consumerIds')}
      />
    </>
  );
}

const ZONES = Intl.supportedValuesOf('timeZone');

function HoursFields({ form }: { form: Form }) {
  const { hasHours } = form.getValues();
  return (
    <>
      <Switch
        label="Only at certain hours"
        description="At other times messages wait; an issue that is resolved meanwhile is not announced"
        {...form.getInputProps('hasHours', { type: 'checkbox' })}
      />
      {hasHours && (
        <>
          <Select
            label="Time zone"
            data={[...new Set(['UTC', form.getValues().timeZone, ...ZONES])]}
            searchable
            allowDeselect={false}
            limit={50}
            {...form.getInputProps('timeZone')}
          />
          <Input.Wrapper label="Days" labelElement="div" error={form.errors['days']}>
            <Chip.Group multiple {...form.getInputProps('days')}>
              <Group gap="xs">
                {DAYS.map((day, index) => (
                  <Chip key={day} value={String(index + 1)} size="sm">
                    {day}
                  </Chip>
                ))}
              </Group>
            </Chip.Group>
          </Input.Wrapper>
          <Group grow>
            <TextInput type="time" label="From" required {...form.getInputProps('from')} />
            <TextInput
              type="time"
              label="To"
              description="Not after “From”: on the next day"
              inputWrapperOrder={['label', 'input', 'description', 'error']}
              required
              {...form.getInputProps('to')}
            />
          </Group>
        </>
      )}
    </>
  );
}
