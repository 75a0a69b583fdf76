import type { ApiToken } from '@pulse/contract'
import { tokenHint, tokenName } from '../../../parts/token-reveal/token-hint.ts'
import { Badge } from '../../../ui/badge.tsx'
import { Button } from '../../../ui/button.tsx'
import { type RecordColumn, RecordTable } from '../../../parts/table/record-table.tsx'
import { Until, When } from '../when.tsx'
import { hasFullAccess } from './scopes.ts'

interface TokenTableProps {
  tokens: readonly ApiToken[]
  onRevoke: (token: ApiToken) => void
}

export function TokenTable({ tokens, onRevoke }: TokenTableProps) {
  const columns: readonly RecordColumn<ApiToken>[] = [
    { header: 'Name', cell: (token) => <span className="font-medium break-all">{tokenName(token)}</span> },
    { header: 'Hint', cell: (token) => <Hint token={token} /> },
    { header: 'Scopes', cell: (token) => <Scopes token={token} /> },
    { header: 'Created', cell: (token) => <When time={token.createdAt} /> },
    { header: 'Last used', cell: (token) => <When time={token.lastUsedAt} /> },
    { header: 'Expires', cell: (token) => <Until time={token.expiresAt} /> },
    { header: 'Made by', cell: (token) => <MadeBy token={token} /> },
    {
      header: 'Actions',
      hideHeader: true,
      align: 'end',
      cell: (token) => <Revoke token={token} onRevoke={onRevoke} />,
    },
  ]
  return (
    <RecordTable
      label="API tokens"
      columns={columns}
      rows={tokens}
      keyOf={({ id }) => id}
      minWidth={900}
      phoneRow={(token) => <PhoneRow token={token} onRevoke={onRevoke} />}
    />
  )
}

function PhoneRow({ token, onRevoke }: RevokeProps) {
  const { scopes, lastUsedAt, expiresAt } = token
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
      <div className="min-w-0 flex-1 basis-48">
        <p className="flex flex-wrap items-center gap-x-2">
          <span className="font-medium break-all">{tokenName(token)}</span>
          <Hint token={token} />
        </p>
        <p className="text-xs text-ink-2">
          {hasFullAccess(scopes) ? 'Full access' : scopes.join(', ')} · used{' '}
          <When time={lastUsedAt} never="never" inline="ago" />
          {expiresAt && (
            <>
              {' '}
              · <Until time={expiresAt} inline="ago" />
            </>
          )}
        </p>
      </div>
      <Revoke token={token} onRevoke={onRevoke} />
    </div>
  )
}

/** Of tokens that are older than this record nobody knows it, and the page says so. */
function MadeBy({ token: { source, madeBy } }: { token: ApiToken }) {
  if (source === 'environment') return <span className="whitespace-nowrap">Environment</span>
  if (madeBy) return <span className="break-all">{madeBy.name}</span>
  return <span className="text-ink-3">Unknown</span>
}

const Hint = ({ token }: { token: ApiToken }) => (
  <code className="font-mono text-xs whitespace-nowrap text-ink-2">{tokenHint(token)}</code>
)

function Scopes({ token: { scopes } }: { token: ApiToken }) {
  if (hasFullAccess(scopes)) return <Badge tone="accent">Full access</Badge>
  return (
    <span className="flex flex-wrap gap-1">
      {scopes.map((scope) => (
        <Badge key={scope}>{scope}</Badge>
      ))}
    </span>
  )
}

interface RevokeProps {
  token: ApiToken
  onRevoke: (token: ApiToken) => void
}

function Revoke({ token, onRevoke }: RevokeProps) {
  if (token.source === 'environment') {
    return (
      <span className="block text-xs text-ink-2 sm:ml-auto sm:max-w-40">
        Remove it from API_TOKENS to revoke it
      </span>
    )
  }
  return (
    <Button aria-label={`Revoke ${tokenName(token)}`} onClick={() => onRevoke(token)}>
      Revoke
    </Button>
  )
}
