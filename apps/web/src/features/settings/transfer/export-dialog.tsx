import {
  type ConfigExport,
  minPassphraseLength,
  postConfigExport,
  type SecurityStatus,
} from '@pulse/contract'
import { type FormEvent, useState } from 'react'
import { useSession } from '../../../api/session.tsx'
import { downloadText } from '../../../lib/download.ts'
import { Button } from '../../../ui/button.tsx'
import { Dialog, DialogActions, DialogCancel, useDialogBusy } from '../../../ui/dialog.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { SegmentedToggle } from '../../../ui/segmented-toggle.tsx'
import { TextField } from '../../../ui/text-field.tsx'
import { toast } from '../../../ui/toast.ts'
import { exportFileName, useTransfer } from './use-transfer.ts'
import { TokenPrompt, type TokenRequest } from './token-prompt.tsx'

interface ExportDialogProps {
  open: boolean
  onClose: () => void
}

export function ExportDialog({ open, onClose }: ExportDialogProps) {
  return (
    <Dialog
      open={open}
      onClose={onClose}
      title="Export configuration"
      description="The file is encrypted and holds nodes, system settings, single sign-on, guest URLs, temperature switches, alert settings, notification settings, accounts, API tokens and Docker hosts. To import it, enter the same password."
    >
      <ExportForm onClose={onClose} />
    </Dialog>
  )
}

type Mode = 'password' | 'passphrase'

const modes = [
  { value: 'password', label: 'Login password' },
  { value: 'passphrase', label: 'Custom passphrase' },
] as const

/** Users who sign in by single sign-on or proxy have no password here. */
const hasLoginPassword = ({ hasAuthentication, disabled, proxyAuthUsername, oidcUsername }: SecurityStatus) =>
  hasAuthentication && !disabled && !proxyAuthUsername && !oidcUsername

const texts = { refused: 'Export requires authentication', failed: 'Export failed' }

function ExportForm({ onClose }: Pick<ExportDialogProps, 'onClose'>) {
  const [request, setRequest] = useState<TokenRequest>()
  const { status } = useSession()
  const hasPassword = hasLoginPassword(status)
  const [mode, setMode] = useState<Mode>(hasPassword ? 'password' : 'passphrase')
  const [secret, setSecret] = useState('')
  const [problem, setProblem] = useState<string>()
  const transfer = useTransfer<{ passphrase: string; isLoginPassword?: true }, ConfigExport>({
    path: postConfigExport.path,
    texts,
    onSuccess(file) {
      downloadText(exportFileName(new Date()), JSON.stringify(file))
      toast.success('Configuration exported successfully')
      onClose()
    },
    onTokenNeeded: (reason) => setRequest({ reason, retry: () => transfer.mutate(wanted) }),
  })
  useDialogBusy(transfer.isPending)
  const isCustom = mode === 'passphrase'
  const wanted = { passphrase: secret, ...(!isCustom && { isLoginPassword: true as const }) }

  const send = () => {
    const found = secretProblem(secret, isCustom)
    setProblem(found)
    if (!found) transfer.mutate(wanted)
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (!transfer.isPending) send()
  }
  const choose = (next: Mode) => {
    setMode(next)
    setSecret('')
    setProblem(undefined)
    transfer.reset()
  }

  return (
    <>
      <form noValidate onSubmit={submit} className="flex flex-col gap-3">
        {hasPassword && (
          <div>
            <SegmentedToggle label="Encrypt with" value={mode} options={modes} onChange={choose} />
          </div>
        )}
        <TextField
          key={mode}
          label={isCustom ? 'Passphrase' : 'Your password'}
          type="password"
          value={secret}
          onChange={(text) => {
            setSecret(text)
            setProblem(undefined)
          }}
          error={problem}
          hint={
            isCustom
              ? `At least ${minPassphraseLength} characters. Pulse does not store it: keep it safe.`
              : 'The file keeps this password even when you change it later.'
          }
          autoComplete={isCustom ? 'new-password' : 'current-password'}
        />
        {transfer.failure && (
          <Notice tone="red" announce>
            {transfer.failure}
          </Notice>
        )}
        <DialogActions>
          <DialogCancel onClick={onClose} />
          {/* not a submit button: while disabled it would block Enter, which reports the missing field */}
          <Button
            variant="primary"
            disabled={transfer.isPending || (isCustom && isShort(secret))}
            onClick={send}
          >
            {transfer.isPending ? 'Exporting...' : 'Export'}
          </Button>
        </DialogActions>
      </form>
      <TokenPrompt request={request} onClose={() => setRequest(undefined)} />
    </>
  )
}

const isShort = (passphrase: string) => [...passphrase].length < minPassphraseLength

function secretProblem(secret: string, isCustom: boolean): string | undefined {
  if (!secret) return isCustom ? 'Please enter a passphrase' : 'Please enter your password'
  if (isCustom && isShort(secret)) return `Passphrase must be at least ${minPassphraseLength} characters`
  return undefined
}
