import { type ApiToken, getTokens } from '@pulse/contract'
import { useQuery } from '@tanstack/react-query'
import { KeyRound, Plus } from 'lucide-react'
import { useState } from 'react'
import { useApi } from '../../../api/api.tsx'
import { useSession } from '../../../api/session.tsx'
import { Loaded } from '../../../parts/sections/loaded.tsx'
import { Button } from '../../../ui/button.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { Panel } from '../../../ui/panel.tsx'
import { isRefused } from '../../../api/reason.ts'
import { CreationRefused, listRefusal } from '../token-refusals.tsx'
import { NewTokenDialog } from './new-token-dialog.tsx'
import { RevokeDialog } from './revoke-dialog.tsx'
import { TokenTable } from './token-table.tsx'

const description = 'For scripts, agents and other programs. A token goes in the X-API-Token header.'

export function TokenPanel() {
  const { isAdmin } = useSession()
  if (isAdmin) return <Tokens />
  return (
    <Panel title="API tokens" description={description}>
      <CreationRefused />
    </Panel>
  )
}

function Tokens() {
  const api = useApi()
  const tokens = useQuery({
    queryKey: [getTokens.path],
    queryFn: ({ signal }) => api.call(getTokens, { signal }),
  })
  const [creating, setCreating] = useState(false)
  const [revoking, setRevoking] = useState<ApiToken>()
  const refused = isRefused(tokens.error)
  return (
    <Panel
      title="API tokens"
      description={description}
      flush
      action={
        !refused && (
          <Button onClick={() => setCreating(true)}>
            <Plus aria-hidden size={14} />
            New token
          </Button>
        )
      }
    >
      <Loaded
        query={tokens}
        what="API tokens"
        refusal={listRefusal}
        isEmpty={(data) => data.tokens.length === 0}
        empty={
          <EmptyState icon={<KeyRound size={24} />} title="No API tokens yet">
            Create one for each script or agent so that you can revoke them separately.
          </EmptyState>
        }
      >
        {(data) => <TokenTable tokens={data.tokens} onRevoke={setRevoking} />}
      </Loaded>
      <NewTokenDialog open={creating} onClose={() => setCreating(false)} />
      <RevokeDialog token={revoking} onClose={() => setRevoking(undefined)} />
    </Panel>
  )
}
