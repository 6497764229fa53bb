// What the service is set up with: its engines, and every variable with its value or default. The groups, defaults and
// meanings are those of the documentation, so that both say the same.
import type { JSX } from 'preact'
import type { DocumentationTable } from '../docs/read-tables.ts'
import { FoldingSection } from '../frame/folding-section.tsx'
import { FormToken, Page, PageHead, type Frame } from '../frame/page.tsx'
import { CardTable, type Column } from '../frame/table.tsx'
import { StateLabel } from '../frame/state-label.tsx'
import type { EngineSetting, ServiceSettings } from '../../telemetry/service-overview.ts'
import type { PartState } from '../../telemetry/service-status.ts'

const USES: Readonly<Record<EngineSetting['use'], readonly [state: PartState, words: string]>> = {
  asked: ['ready', 'Asked'],
  set_up: ['limited', 'Set up, not asked'],
  not_set_up: ['off', 'Not set up'],
}

interface SettingsProperties {
  frame: Frame
  settings: ServiceSettings
  /** Variables, defaults and meanings, as the documentation groups them. */
  groups: readonly DocumentationTable[]
}

export function SettingsPage({ frame, settings, groups }: SettingsProperties): JSX.Element {
  return (
    <Page frame={frame} style="status" script="folding" title="Settings">
      <PageHead title="Settings">
        What this replica was started with. Settings are variables of its environment: change them there and
        start it again. Secrets are never shown, and of addresses the host alone.
      </PageHead>
      <section aria-labelledby="engines">
        <h2 id="engines">Engines</h2>
        <p class="quiet small">
          A test asks one plain question, which a paid engine charges as a search; its outcome is on the
          overview.
        </p>
        <EngineSettings frame={frame} engines={settings.engines} />
      </section>
      <TestedPart frame={frame} name="models" title="Models">
        Has the models of each depth score one passage.
      </TestedPart>
      <TestedPart frame={frame} name="stores" title="Stores">
        Asks the database of accounts, and Redis where there is one.
      </TestedPart>
      {groups.map((group, index) => (
        <VariableGroup id={`variables-${index + 1}`} group={group} set={settings.set} />
      ))}
    </Page>
  )
}

function TestedPart({
  frame,
  name,
  title,
  children,
}: {
  frame: Frame
  name: 'models' | 'stores'
  title: string
  children: string
}) {
  return (
    <section aria-labelledby={name}>
      <h2 id={name}>{title}</h2>
      <form method="post" action={`/settings/${name}/test`} class="actions">
        <FormToken frame={frame} />
        <button type="submit" class="button button-plain" data-busy="Testing…">
          Test now<span class="visually-hidden">: {name}</span>
        </button>
        <span class="quiet small">{children}</span>
      </form>
    </section>
  )
}

function EngineSettings({ frame, engines }: { frame: Frame; engines: readonly EngineSetting[] }) {
  const columns: Column<EngineSetting>[] = [
    { label: 'Engine', isRowHead: true, cell: ({ name }) => name },
    { label: 'Use', cell: ({ use }) => <StateLabel state={USES[use][0]} words={USES[use][1]} /> },
    {
      label: 'Set up with',
      cell: ({ setUpWith }) => (
        <span>{setUpWith.split('`').map((text, at) => (at % 2 === 1 ? <code>{text}</code> : text))}</span>
      ),
    },
    {
      label: 'Test',
      isLabelHidden: true,
      cell: ({ name, use }) =>
        use === 'asked' && (
          <form method="post" action={`/engines/${name}/test`}>
            <FormToken frame={frame} />
            <button type="submit" class="button button-plain button-small" data-busy="Testing…">
              Test now<span class="visually-hidden">: {name}, may cost a request</span>
            </button>
          </form>
        ),
    },
  ]
  return <CardTable columns={columns} rows={engines} />
}

interface Variable {
  name: string
  fallback: string
  meaning: string
}

function VariableGroup({
  id,
  group,
  set,
}: { id: string; group: DocumentationTable } & Pick<ServiceSettings, 'set'>) {
  const variables = group.rows.flatMap(([names = '', fallback = '', meaning = '']) =>
    names.split(', ').map((name): Variable => ({ name, fallback, meaning })),
  )
  const columns: Column<Variable>[] = [
    { label: 'Variable', isRowHead: true, cell: ({ name }) => <code>{name}</code> },
    { label: 'Value', cell: ({ name, fallback }) => <Value shown={set.get(name)} fallback={fallback} /> },
    { label: 'Meaning', look: 'prose', cell: ({ meaning }) => meaning },
  ]
  const count = variables.filter(({ name }) => set.has(name)).length
  return (
    <FoldingSection id={id} title={group.heading} gist={`${count} of ${variables.length} set`}>
      <CardTable name="settings" columns={columns} rows={variables} />
    </FoldingSection>
  )
}

/** `shown`: undefined where nothing is set, null where what is set is a secret. */
function Value({ shown, fallback }: { shown: string | null | undefined; fallback: string }) {
  if (shown === undefined)
    return <span class="quiet">{fallback === 'none' ? 'Not set' : `Not set: ${fallback}`}</span>
  return shown === null ? <strong>Set, not shown</strong> : <code>{shown}</code>
}
