import type { ApiToken } from '@pulse/contract'
import { tokenHint, tokenName } from '../../../parts/token-reveal/token-hint.ts'
import { Badge } from '../../../ui/badge.tsx'
import { Button } from '../../../ui/button.tsx'
import { actionsColumn, type RecordColumn, RecordTable } from '../../../parts/table/record-table.tsx'
import { Until, When } from '../when.tsx'
import { hasFullAccess } from './scopes.ts'
import { TokenHosts } from './token-hosts.tsx'

interface TokenTableProps {
  tokens: readonly ApiToken[]
  onRevoke: (token: ApiToken) => void
}

export function TokenTable({ tokens, onRevoke }: TokenTableProps) {
  const columns: readonly RecordColumn<ApiToken>[] = [
    {
      header: 'Name',
      cell: (token) => (
        <>
          <Name token={token} />
          <TokenHosts tokenId={token.id} />
        </>
      ),
      phone: { slot: 'name', draw: (token) => <Name token={token} /> },
    },
    { header: 'Hint', cell: (token) => <Hint token={token} />, phone: { slot: 'badge' } },
    {
      header: 'Scopes',
      cell: (token) => <Scopes token={token} />,
      phone: {
        slot: 'fact',
        draw: ({ id, scopes }) => (
          <>
            {hasFullAccess(scopes) ? 'Full access' : scopes.join(', ')}
            <TokenHosts tokenId={id} inline />
          </>
        ),
      },
    },
    { header: 'Created', cell: (token) => <When time={token.createdAt} /> },
    {
      header: 'Last used',
      cell: (token) => <When time={token.lastUsedAt} />,
      phone: {
        slot: 'figure',
        label: 'used',
        draw: (token) => <When time={token.lastUsedAt} never="never" inline="ago" />,
      },
    },
    {
      header: 'Expires',
      cell: (token) => <Until time={token.expiresAt} />,
      phone: {
        slot: 'fact',
        draw: ({ expiresAt }) => expiresAt !== undefined && <Until time={expiresAt} inline="ago" />,
      },
    },
    { header: 'Made by', cell: (token) => <MadeBy token={token} /> },
    actionsColumn((token) => <Revoke token={token} onRevoke={onRevoke} />),
  ]
  return (
    <RecordTable label="API tokens" columns={columns} rows={tokens} keyOf={({ id }) => id} minWidth={900} />
  )
}

/** Tokens older than this field have no recorded creator, which the page states. */
function MadeBy({ token: { source, madeBy } }: { token: ApiToken }) {
  if (source === 'environment') return <span className="whitespace-nowrap">Environment</span>
  if (madeBy) return <span className="wrap-anywhere">{madeBy.name}</span>
  return <span className="text-ink-3">Unknown</span>
}

const Name = ({ token }: { token: ApiToken }) => (
  <span className="inline-block font-medium wrap-anywhere sm:min-w-36">{tokenName(token)}</span>
)

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
