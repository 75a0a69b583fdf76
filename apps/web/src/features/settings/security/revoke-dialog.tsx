import { type ApiToken, deleteToken, getTokens } from '@pulse/contract'
import { useQueryClient } from '@tanstack/react-query'
import { useApi } from '../../../api/api.tsx'
import { useSession } from '../../../api/session.tsx'
import { useChange } from '../../../api/use-change.ts'
import { tokenName } from '../../../parts/token-reveal/token-hint.ts'
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx'
import { toast } from '../../../ui/toast.ts'
import { failureOf } from '../../../api/reason.ts'
import { LostHosts } from './token-hosts.tsx'

interface RevokeDialogProps {
  /** undefined: nothing is asked */
  token: ApiToken | undefined
  onClose: () => void
}

export function RevokeDialog({ token, onClose }: RevokeDialogProps) {
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
