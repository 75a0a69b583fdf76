import { type FormEvent, useState } from 'react'
import { useApi } from '../../../api/api.tsx'
import { Button } from '../../../ui/button.tsx'
import { Dialog, DialogActions, DialogCancel } from '../../../ui/dialog.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { TextField } from '../../../ui/text-field.tsx'

export interface TokenRequest {
  /** why the prompt appears again */
  reason?: string | undefined
  /** repeats the interrupted call */
  retry: () => void
}

interface TokenPromptProps {
  request: TokenRequest | undefined
  onClose: () => void
}

/** Asks for an API token, then repeats the call. */
export function TokenPrompt({ request, onClose }: TokenPromptProps) {
  return (
    <Dialog
      open={request !== undefined}
      onClose={onClose}
      title="API token required"
      description="This installation is protected by an API token."
    >
      {request && <TokenForm {...request} onClose={onClose} />}
    </Dialog>
  )
}

function TokenForm({ reason, retry, onClose }: TokenRequest & { onClose: () => void }) {
  const api = useApi()
  const [token, setToken] = useState('')
  const [problem, setProblem] = useState<string>()
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const typed = token.trim()
    if (!typed) return setProblem('Please enter the API token.')
    api.credentials.set({ kind: 'token', token: typed })
    onClose()
    retry()
  }
  return (
    <form noValidate onSubmit={submit} className="flex flex-col gap-3">
      {reason && (
        <Notice tone="red" announce>
          {reason}
        </Notice>
      )}
      <TextField
        label="API token"
        type="password"
        value={token}
        onChange={setToken}
        error={problem}
        hint="It is kept until you close or reload this page."
        autoComplete="off"
      />
      <DialogActions>
        <DialogCancel onClick={onClose} />
        <Button type="submit" variant="primary">
          Continue
        </Button>
      </DialogActions>
    </form>
  )
}
