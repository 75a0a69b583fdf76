import { minPasswordLength, postChangePassword } from '@pulse/contract'
import { useState } from 'react'
import { useApi } from '../../../api/api.tsx'
import type { Api } from '../../../api/client.ts'
import { credentialHeaders } from '../../../api/credentials.ts'
import { errorText } from '../../../api/error-text.ts'
import { useChange } from '../../../api/use-change.ts'
import { Dialog } from '../../../ui/dialog.tsx'
import { DialogForm } from '../../../ui/dialog-form.tsx'
import { TextField } from '../../../ui/text-field.tsx'
import { toast } from '../../../ui/toast.ts'

const reloadAfterMs = 2_000

interface ChangePasswordDialogProps {
  open: boolean
  onClose: () => void
  username: string
}

export function ChangePasswordDialog({ open, onClose, username }: ChangePasswordDialogProps) {
  return (
    <Dialog open={open} onClose={onClose} title="Change password" description={`For ${username}`}>
      <ChangePasswordForm username={username} onClose={onClose} />
    </Dialog>
  )
}

const empty: PasswordEntries = { current: '', next: '', confirmed: '' }

function ChangePasswordForm({ username, onClose }: Omit<ChangePasswordDialogProps, 'open'>) {
  const api = useApi()
  const [entries, setEntries] = useState(empty)
  const [problem, setProblem] = useState<string>()
  const change = useChange({
    mutationFn: () => changePassword(api, username, entries),
    onSuccess: () => {
      toast.success('Password changed successfully. Please log in with your new password.')
      // the server has ended the sessions, so the page reloads even after the dialog closes
      setTimeout(() => window.location.reload(), reloadAfterMs)
      onClose()
    },
    onError: (error) => setProblem(error.message || 'Failed to change password'),
  })

  const submit = () => {
    const found = passwordProblem(entries)
    setProblem(found)
    if (!found) change.mutate()
  }
  const field = (name: keyof PasswordEntries) => ({
    type: 'password',
    value: entries[name],
    onChange: (text: string) => setEntries({ ...entries, [name]: text }),
  })

  return (
    <DialogForm
      onSubmit={submit}
      onCancel={onClose}
      action="Change password"
      busyAction="Changing..."
      busy={change.isPending}
      failure={problem === undefined ? undefined : { reason: problem }}
    >
      <input type="text" name="username" autoComplete="username" value={username} readOnly hidden />
      <TextField label="Current password" autoComplete="current-password" {...field('current')} />
      <TextField
        label="New password"
        autoComplete="new-password"
        hint="At least 8 characters"
        {...field('next')}
      />
      <TextField label="Confirm new password" autoComplete="new-password" {...field('confirmed')} />
    </DialogForm>
  )
}

interface PasswordEntries {
  current: string
  next: string
  confirmed: string
}

/** Why the form cannot be sent; undefined if it can. */
function passwordProblem({ current, next, confirmed }: PasswordEntries): string | undefined {
  if (!current || !next || !confirmed) return 'All fields are required'
  if (next !== confirmed) return 'New passwords do not match'
  if (next.length < minPasswordLength) return 'Password must be at least 8 characters'
  return undefined
}

/** Rejects with the text to show. Sends the current password as HTTP Basic too. */
async function changePassword(api: Api, username: string, { current, next }: PasswordEntries) {
  const { path, method } = postChangePassword
  const response = await api.send(path, {
    method,
    retryLimited: false,
    headers: {
      'Content-Type': 'application/json',
      ...credentialHeaders({ kind: 'basic', username, password: current }),
    },
    body: JSON.stringify({ currentPassword: current, newPassword: next }),
  })
  if (response.ok) return
  if (response.status === 401) throw new Error('Current password is incorrect')
  const body = await response.text()
  throw new Error(body.trim() ? errorText(response.status, body) : 'Failed to change password')
}
