import type { Diagnostics } from '@pulse/contract'
import { formatNumber } from '../../../lib/format.ts'
import { Notice } from '../../../ui/notice.tsx'
import { Panel } from '../../../ui/panel.tsx'
import { type RecordColumn, RecordTable } from '../../../parts/table/record-table.tsx'
import { When } from '../when.tsx'
import { Facts } from './facts.tsx'
import { TextList } from './findings-panel.tsx'
import { hostsText, isShared, isUsedByHosts } from './token-texts.ts'

type TokenCheck = Diagnostics['apiTokens']
type Token = TokenCheck['tokens'][number]

export function TokenCheckPanel({ check }: { check: TokenCheck }) {
  const { tokenCount, unusedTokenCount, legacyDockerHostCount, notes, tokens } = check
  const isAdvised = check.recommendTokenSetup || check.recommendTokenRotation
  const list = notes.length > 0 && <TextList label="Notes on API tokens" texts={notes} />
  return (
    <Panel title="API token check" flush>
      <div className="flex flex-col gap-3 p-4">
        <Facts
          facts={[
            { label: 'Tokens', value: formatNumber(tokenCount) },
            { label: 'Never used', value: formatNumber(unusedTokenCount) },
            ...(legacyDockerHostCount > 0
              ? [{ label: 'Docker hosts without a token of their own', value: legacyDockerHostCount }]
              : []),
          ]}
        />
        {isAdvised ? <Notice tone="yellow">{list}</Notice> : list}
      </div>
      {tokens.length > 0 && (
        <div className="border-t border-line">
          <RecordTable
            label="Tokens and their use"
            columns={columnsFor(check)}
            rows={tokens}
            keyOf={({ id }) => id}
            minWidth={640}
          />
        </div>
      )}
    </Panel>
  )
}

const sourceTexts: Record<Token['source'], string> = {
  environment: 'Environment',
  legacy: 'Older version',
  user: 'Created here',
}

const columnsFor = (check: TokenCheck): readonly RecordColumn<Token>[] => [
  {
    header: 'Name',
    cell: ({ name }) => <span className="font-medium break-all">{name}</span>,
    phone: { slot: 'name' },
  },
  {
    header: 'Hint',
    cell: ({ hint }) => <code className="font-mono text-xs text-ink-2">{hint}</code>,
    phone: { slot: 'badge' },
  },
  {
    header: 'Source',
    cell: ({ source }) => <span className="whitespace-nowrap">{sourceTexts[source]}</span>,
    phone: { slot: 'fact' },
  },
  { header: 'Created', cell: ({ createdAt }) => <When time={createdAt} inline="ago" /> },
  {
    header: 'Last used',
    cell: ({ lastUsedAt }) => <When time={lastUsedAt} inline="ago" />,
    phone: {
      slot: 'figure',
      label: 'used',
      draw: ({ lastUsedAt }) => <When time={lastUsedAt} never="never" inline="ago" />,
    },
  },
  {
    header: 'Docker hosts',
    cell: ({ id }) => <Hosts id={id} check={check} />,
    phone: { slot: 'fact', draw: ({ id }) => isUsedByHosts(check, id) && <Hosts id={id} check={check} /> },
  },
]

function Hosts({ id, check }: { id: string; check: TokenCheck }) {
  return (
    <>
      <span className="break-words">{hostsText(check, id)}</span>
      {isShared(check, id) && (
        <span className="block text-xs text-yellow">Shared: give each host a token of its own</span>
      )}
    </>
  )
}
