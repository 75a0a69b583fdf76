import { type ApiToken, deleteToken, getTokens } from '@pulse/contract'
import { useQueryClient } from '@tanstack/react-query'
import { KeyRound, Plus } from 'lucide-react'
import { useState } from 'react'
import { useApi } from '../../../api/api.tsx'
import { useSession } from '../../../api/session.tsx'
import { useAnswer } from '../../../api/use-answer.ts'
import { useChange } from '../../../api/use-change.ts'
import { Loaded } from '../../../parts/sections/loaded.tsx'
import { tokenName } from '../../../parts/token-reveal/token-hint.ts'
import { Button } from '../../../ui/button.tsx'
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { Panel } from '../../../ui/panel.tsx'
import { failureOf, isRefused } from '../../../api/reason.ts'
import { toast } from '../../../ui/toast.ts'
import { CreationRefused, listRefusal } from '../token-refusals.tsx'
import { NewTokenDialog } from './new-token-dialog.tsx'
import { LostHosts } from './token-hosts.tsx'
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
  const tokens = useAnswer(getTokens)
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

interface RevokeDialogProps {
  /** undefined while closed */
  token: ApiToken | undefined
  onClose: () => void
}

function RevokeDialog({ token, onClose }: RevokeDialogProps) {
  const api = useApi()
  const queries = useQueryClient()
  const { refresh } = useSession()
  const revoke = useChange({
    mutationFn: (id: string) => api.call(deleteToken, { params: { id } }),
    onSuccess: () => {
      toast.success('Token revoked')
      onClose()
      void refresh()
      return queries.invalidateQueries({ queryKey: [getTokens.path] })
    },
  })
  const close = () => {
    revoke.reset()
    onClose()
  }
  return (
    <ConfirmDialog
      open={token !== undefined}
      onClose={close}
      title="Revoke API token"
      action="Revoke token"
      busyAction="Revoking..."
      busy={revoke.isPending}
      onConfirm={() => token && revoke.mutate(token.id)}
      failure={failureOf('Failed to revoke API token', revoke.error)}
    >
      <p>
        <span className="font-medium break-words text-ink">{token && tokenName(token)}</span> stops working at
        once, wherever it is used. This cannot be undone.
      </p>
      {token && <LostHosts tokenId={token.id} />}
    </ConfirmDialog>
  )
}
