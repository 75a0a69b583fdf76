import { Button } from '../../ui/button.tsx'
import { CopyField } from '../../ui/copy-field.tsx'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { Notice } from '../../ui/notice.tsx'
import { toast } from '../../ui/toast.ts'
import type { RevealedToken } from './revealed-token.ts'
import { tokenHint, tokenName } from './token-hint.ts'

interface TokenRevealDialogProps {
  revealed: RevealedToken
  open: boolean
  onClose: () => void
  onDismiss: () => void
}

const copiedToastMs = 2_000

/** Shows a token once. Its code loads with the first token. */
export default function TokenRevealDialog({ revealed, open, onClose, onDismiss }: TokenRevealDialogProps) {
  const { token, record, source, note } = revealed
  const hint = tokenHint(record)
  return (
    <Dialog open={open} onClose={onClose} title="API token" description={`Created in ${source}`} wide>
      <div className="flex flex-col gap-4">
        {note && <Notice tone="yellow">{note}</Notice>}
        <CopyField
          label="Token"
          value={token}
          whole
          onCopied={() => toast.success('Token copied to clipboard', copiedToastMs)}
          onFailed={() => toast.error('Failed to copy token')}
        />
        <dl className="grid grid-cols-[max-content_1fr] gap-x-4 gap-y-1 text-table">
          <dt className="text-ink-3">Name</dt>
          <dd className="break-words">{tokenName(record)}</dd>
          {hint && (
            <>
              <dt className="text-ink-3">Hint</dt>
              <dd className="font-mono text-xs leading-5">{hint}</dd>
            </>
          )}
        </dl>
      </div>
      <DialogActions>
        <Button variant="ghost" onClick={onDismiss}>
          Dismiss
        </Button>
        <Button variant="primary" onClick={onClose}>
          Close
        </Button>
      </DialogActions>
    </Dialog>
  )
}
